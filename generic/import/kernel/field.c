/*
 * field.c -- the table of import/kernel/field.h.
 */
#include "base/port.h"

#include "import/kernel/field.h"

#include <string.h>

#define AT(member) offsetof(tacKernelRecord, member)
#define TEXT(field, member) \
    { field, TAC_SLOT_TEXT, AT(member), false }
#define INT32(field, member) \
    { field, TAC_SLOT_INT32, AT(member), false }
#define INT64(field, member) \
    { field, TAC_SLOT_INT64, AT(member), false }
#define THREAD(comm, id, prio) TEXT(comm, thread.name), INT32(id, thread.pid), INT32(prio, thread.priority)
#define WAKEUP                                                                            \
    {                                                                                     \
        THREAD("comm", "pid", "prio"), { "target_cpu", TAC_SLOT_INT32, AT(target), true } \
    }
#define SOFTIRQ                                                         \
    {                                                                   \
        INT64("vec", number), { "vec", TAC_SLOT_NAMED, AT(text), true } \
    }

static const tacKernelFields rows[] = {
    {"sched_switch", TAC_KERNEL_SWITCH, true,
        {THREAD("prev_comm", "prev_pid", "prev_prio"), {"prev_state", TAC_SLOT_STATE, 0, false},
            TEXT("next_comm", other.name), INT32("next_pid", other.pid), INT32("next_prio", other.priority)}},
    {"sched_waking", TAC_KERNEL_WAKING, false, WAKEUP},
    {"sched_wakeup", TAC_KERNEL_WAKEUP, true, WAKEUP},
    {"sched_wakeup_new", TAC_KERNEL_WAKEUP_NEW, true, WAKEUP},
    {"sched_migrate_task", TAC_KERNEL_MIGRATE, false, {THREAD("comm", "pid", "prio"), INT32("dest_cpu", target)}},
    {"sched_process_fork", TAC_KERNEL_FORK, false,
        {TEXT("parent_comm", thread.name), INT32("parent_pid", thread.pid), TEXT("child_comm", other.name),
            INT32("child_pid", other.pid)}},
    {"sched_process_exec", TAC_KERNEL_EXEC, false, {TEXT("filename", text), INT32("pid", thread.pid)}},
    {"sched_process_exit", TAC_KERNEL_EXIT, false, {THREAD("comm", "pid", "prio")}},
    {"task_newtask", TAC_KERNEL_NEW, false,
        {INT32("pid", thread.pid), TEXT("comm", thread.name), INT64("clone_flags", number)}},
    {"sched_pi_setprio", TAC_KERNEL_SETPRIO, false,
        {TEXT("comm", thread.name), INT32("pid", thread.pid), INT32("oldprio", thread.priority),
            INT32("newprio", other.priority)}},
    {"irq_handler_entry", TAC_KERNEL_IRQ_ENTRY, false, {INT64("irq", number), TEXT("name", text)}},
    {"irq_handler_exit", TAC_KERNEL_IRQ_EXIT, false, {INT64("irq", number)}},
    {"softirq_raise", TAC_KERNEL_SOFTIRQ_RAISE, false, SOFTIRQ},
    {"softirq_entry", TAC_KERNEL_SOFTIRQ_ENTRY, false, SOFTIRQ},
    {"softirq_exit", TAC_KERNEL_SOFTIRQ_EXIT, false, SOFTIRQ},
    {"local_timer_entry", TAC_KERNEL_TIMER_ENTRY, false, {INT64("vector", number)}},
    {"local_timer_exit", TAC_KERNEL_TIMER_EXIT, false, {INT64("vector", number)}},
    {"hrtimer_expire_entry", TAC_KERNEL_HRTIMER_ENTRY, false,
        {{"function", TAC_SLOT_FUNCTION, AT(text), false}, {"hrtimer", TAC_SLOT_INT64, AT(timer), true}}},
    {"hrtimer_expire_exit", TAC_KERNEL_HRTIMER_EXIT, false, {{NULL, TAC_SLOT_END, 0, false}}},
    {"print", TAC_KERNEL_MARK, false, {TEXT("buf", text)}},
};

const tacKernelFields *tacKernelFieldsOf(const char *event) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, event) == 0) return &rows[i];
    return NULL;
}

/* Writes a hexadecimal number of at least so many digits; not with snprintf: half of many recordings are system calls.
 * Returns the end. */
static char *putHex(char *to, uint64_t value, int least) {
    char digits[16];
    int n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value || n < least);
    *to++ = '0';
    *to++ = 'x';
    while (n > 0) *to++ = digits[--n];
    return to;
}

char *tacKernelPutArgument(char *to, const char *name, uint64_t value) {
    enum { LONGEST = TAC_KERNEL_ARGUMENT - 24 };
    if (!name) return putHex(to, value, 1);
    size_t length = strnlen(name, LONGEST);
    memcpy(to, name, length);
    to += length;
    *to++ = ':';
    *to++ = ' ';
    return putHex(to, value, 8);
}
