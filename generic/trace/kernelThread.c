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
    "khungtaskd", "kdamond.*", "oom_reaper", "kdevtmpfs", "jbd2/*", "ext4-*", "xfs*", "btrfs-*", "scsi_*", "nvme*-wq",
    "usb-storage", "napi/*", "backlog_napi/*", "kblockd", "blkcg_punt_bio", "writeback", "pool_workqueue*", "psimon",
    "hwrng", "card[0-9]*-crtc*", "loop[0-9]*", "md*_raid*", "kvm-*", "vhost-*", NULL};

int tacKernelThreadTold(const tacStore *store, uint32_t task) {
    return tacKernelThreadBy(store, task, tacObjectText(store, TAC_TASK, task, TAC_OPT_PROCESS));
}

int tacKernelThreadBy(const tacStore *store, uint32_t task, const char *process) {
    const char *id = tacObjectId(store, TAC_TASK, task);
    if (!process) return 0;
    if (strcmp(process, "kernel") == 0) return 1;
    /* That of a kernel thread is its own: one of another process is a program's, whatever its name is. */
    size_t length = strlen(process);
    return strncmp(id, process, length) == 0 && (id[length] == 0 || id[length] == '/') ? 0 : -1;
}

bool tacIsKernelThread(const tacStore *store, uint32_t task) {
    int told = tacKernelThreadTold(store, task);
    return told ? told > 0 : tacKernelThreadName(tacObjectName(store, TAC_TASK, task));
}

bool tacKernelThreadName(const char *name) {
    char inner[64];
    size_t length = strlen(name);
    if (*name == '[' && length > 2 && length < sizeof inner && name[length - 1] == ']') { /* as ps writes it */
        memcpy(inner, name + 1, length - 2);
        inner[length - 2] = 0;
        name = inner;
        length -= 2;
    }
    for (const char *const *pattern = names; *pattern; pattern++)
        if (**pattern == *name && tacGlob(*pattern, name, length)) return true; /* each begins with a letter */
    return false;
}
