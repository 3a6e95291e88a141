/*
 * kernelThread.c -- the names by which threads of Linux itself are known.
 */
#include "base/port.h"

#include "base/glob.h"
#include "trace/kernelThread.h"

#include <string.h>

static const char *const names[] = {"kworker/*", "ksoftirqd/*", "migration/*", "rcu_*", "rcuc/*", "rcuo*", "rcub/*",
    "rcuog/*", "irq/*", "cpuhp/*", "idle_inject/*", "ktimers/*", "ktimersoftd/*", "posixcputmr/*", "watchdog/*",
    "watchdogd", "stopper/*", "kthreadd", "kswapd[0-9]*", "kcompactd[0-9]*", "khugepaged", "ksmd", "kauditd",
    "khungtaskd", "oom_reaper", "kdevtmpfs", "jbd2/*", "ext4-*", "xfs*", "btrfs-*", "scsi_*", "nvme*-wq", "usb-storage",
    "napi/*", "backlog_napi/*", "kblockd", "blkcg_punt_bio", "writeback", "pool_workqueue*", "psimon", "hwrng",
    "card[0-9]*-crtc*", "loop[0-9]*", "md*_raid*", "kvm-*", "vhost-*", NULL};

bool tacKernelThreadName(const char *name) {
    size_t length = strlen(name);
    for (const char *const *pattern = names; *pattern; pattern++)
        if (**pattern == *name && tacGlob(*pattern, name, length)) return true; /* each begins with a letter */
    return false;
}
