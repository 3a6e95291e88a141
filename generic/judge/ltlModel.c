/*
 * ltlModel.c -- makes models of a rule in linear temporal logic: what its names are in a trace, and what is still owed
 * after each event.
 *
 *   formula --nnf--> literals, and, or, next, until, release
 *   what is owed now --expand, by the values of the atoms now--> what may be owed next
 *
 * What is owed is a set of formulas. There may be several such sets, since a formula with `or` can be kept in several
 * ways, and since an atom that no trace records may be true or false. A state of the model is the collection of those
 * of which none is more than another one; an event after which none is left violates the rule. (The sets are the nodes
 * of the tableau of Gerth, Peled, Vardi and Wolper, "Simple On-the-fly Automatic Verification of Linear Temporal
 * Logic", PSTV 1995, followed together.)
 */
#include "base/port.h"

#include "judge/ltl.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_STATES = 256,
    MOST_OWED = 64,       /* formulas that may be owed: a set of them is a uint64_t */
    MOST_SETS = 128,      /* of a state */
    MOST_STEPS = 2000000, /* of all expansions of a model */
    DEEPEST = 4000        /* of one of them */
};

/* ---- what atoms are ---------------------------------------------------------------------------------------------- */

typedef enum Value { FALSE, TRUE, UNKNOWN } Value;
/* The system call that a task is in, as far as it matters. */
typedef enum Call { CALL_UNKNOWN, CALL_NONE, CALL_NANOSLEEP, CALL_EPOLL, CALL_FUTEX } Call;

typedef enum Pulse { PULSE_NONE, PULSE_SLEEP, PULSE_WAKE, PULSE_FAULT } Pulse;

/* Atoms that a trace tells; the table of tactus_model(n). */
static const struct {
    const char *name;
    Pulse pulse; /* NONE: it is true in a system call, or perhaps: */
    Call call;
    Value inside;
} bindings[] = {
    {"SLEEP", PULSE_SLEEP, CALL_UNKNOWN, FALSE},
    {"WAKE", PULSE_WAKE, CALL_UNKNOWN, FALSE},
    {"PAGEFAULT", PULSE_FAULT, CALL_UNKNOWN, FALSE},
    {"CLOCK_NANOSLEEP", PULSE_NONE, CALL_NANOSLEEP, TRUE},
    {"NANOSLEEP_TIMER_ABSTIME", PULSE_NONE, CALL_NANOSLEEP, UNKNOWN},
    {"NANOSLEEP_CLOCK_MONOTONIC", PULSE_NONE, CALL_NANOSLEEP, UNKNOWN},
    {"NANOSLEEP_CLOCK_TAI", PULSE_NONE, CALL_NANOSLEEP, UNKNOWN},
    {"EPOLL_WAIT", PULSE_NONE, CALL_EPOLL, TRUE},
    {"FUTEX_WAIT", PULSE_NONE, CALL_FUTEX, UNKNOWN},
    {"FUTEX_LOCK_PI", PULSE_NONE, CALL_FUTEX, UNKNOWN},
};
enum { BINDINGS = sizeof bindings / sizeof *bindings, FREE = -1, PRIORITY = -2 };

typedef struct Letter { /* an event that a model waits for */
    const char *trigger;
    Pulse pulse;
    Call call; /* into which it leads; UNKNOWN: it is none of these */
    bool lost; /* what happened is not known */
    /* The test that other jobs of the task are released and not done: then it is no event, since a thread has one job
     * at a time. NULL: that does not matter. */
    const char *queued;
} Letter;

static const Letter letters[] = {
    {"enters unknown", PULSE_NONE, CALL_UNKNOWN, true, NULL},
    {"leaves unknown", PULSE_NONE, CALL_UNKNOWN, true, NULL},
    {"jobArrived", PULSE_WAKE, CALL_UNKNOWN, false, "jobs(active) > 1"},
    {"leaves blocked", PULSE_WAKE, CALL_UNKNOWN, false, NULL},
    {"enters blocked", PULSE_SLEEP, CALL_UNKNOWN, false, NULL},
    {"enters completed", PULSE_SLEEP, CALL_UNKNOWN, false, "jobs(active) > 0"},
    {"event page_fault_*", PULSE_FAULT, CALL_UNKNOWN, false, NULL},
    {"syscall clock_nanosleep*", PULSE_NONE, CALL_NANOSLEEP, false, NULL},
    {"syscall epoll_*wait*", PULSE_NONE, CALL_EPOLL, false, NULL},
    {"syscall futex*", PULSE_NONE, CALL_FUTEX, false, NULL},
    {"syscall *", PULSE_NONE, CALL_NONE, false, NULL},
    {"sysreturn *", PULSE_NONE, CALL_NONE, false, NULL},
};

/* ---- formulas in negation normal form ---------------------------------------------------------------------------- */

typedef enum Kind { IS_TRUE, IS_FALSE, LITERAL, AND, OR, NEXT, UNTIL, RELEASE } Kind;

typedef struct Formula {
    uint32_t kind, left, right; /* LITERAL: the atom, and whether it is negated */
} Formula;

typedef struct Atom {
    uint32_t name;
    int binding; /* index of bindings; FREE: none; PRIORITY: the task is a real-time one */
    Value value; /* set by the user; UNKNOWN: not set */
} Atom;

typedef struct State {
    uint64_t owed[MOST_SETS]; /* sets of formulas; none of them contains another one */
    int count;
    Call call;
} State;

typedef struct Making {
    const tacLtl *ltl;
    const tacFileSettings *set;
    tacStatementTaker *take; /* NULL: the states are only counted */
    void *data;
    tacError *err;
    tacError bad; /* what is wrong with a value that is set */
    TAC_ARRAY(Atom) atoms;
    uint32_t *atomOf;     /* by name of the rule: its atom, or TAC_NONE */
    uint32_t *normal;     /* by node, twice: its formula, and that of its opposite; TAC_NONE: not made yet */
    tacInternTable table; /* formulas */
    TAC_ARRAY(Formula) formulas;
    TAC_ARRAY(uint32_t) owing; /* by bit of a set: the formula */
    uint32_t rule;
    bool pulses[4], calls; /* do they matter to an atom? */
    Value priority;        /* of tasks of the model that is made */
    tacInternTable stateKeys, owedKeys;
    TAC_ARRAY(State) states;
    bool tooMany;  /* states, sets, steps */
    bool noMemory; /* tooMany, too, which ends the expansion */
    bool violable; /* some event can violate the rule */
    int steps;
    State result;
} Making;

/* The formula of these parts. TAC_NONE: no memory. */
static uint32_t formula(Making *m, Kind kind, uint32_t left, uint32_t right) {
    Formula f = {(uint32_t) kind, left, right};
    if (left == TAC_NONE || right == TAC_NONE) return TAC_NONE;
    uint32_t index = tacIntern(&m->table, (const char *) &f, sizeof f);
    if (index == m->formulas.count && !tacArrayPush(&m->formulas, f)) return TAC_NONE;
    return index;
}

/* Gives a name that is not defined its atom. TAC_NONE: no memory, or too many. */
static uint32_t atomOf(Making *m, uint32_t name) {
    size_t length;
    const char *text = tacInternName(&m->ltl->names, name, &length);
    tacWord word = {text, length};
    if (m->atomOf[name] != TAC_NONE) return m->atomOf[name];
    Atom atom = {name, tacWordIs(&word, "RT") ? PRIORITY : FREE, UNKNOWN};
    for (int i = 0; i < BINDINGS; i++)
        if (tacWordIs(&word, bindings[i].name)) atom.binding = i;
    const tacWord *value = tacFileSetting(m->set, text, length);
    bool yes = value && (tacWordIs(value, "true") || tacWordIs(value, "1"));
    if (value) atom.value = yes ? TRUE : FALSE;
    if (value && !yes && !tacWordIs(value, "false") && !tacWordIs(value, "0") && !m->bad.code[0])
        tacFail(&m->bad, "EXPECT SET", "line %u: %s is set to \"%.*s\", which must be true or false",
            (unsigned) m->ltl->line, text, TAC_SHOWN(value));
    m->atomOf[name] = (uint32_t) m->atoms.count;
    return tacArrayPush(&m->atoms, atom) ? m->atomOf[name] : TAC_NONE;
}

/* The formula of a node, or of its opposite. TAC_NONE: no memory. */
static uint32_t normalOf(Making *m, uint32_t node, bool not ) {
    const tacLtlNode *n = &m->ltl->nodes.at[node];
    uint32_t *known = &m->normal[2 * node + not ], left = 0, right = 0, always;
    if (*known != TAC_NONE) return *known;
    bool swapped = n->kind == TAC_LTL_NOT || n->kind == TAC_LTL_IMPLY; /* the left one has the other sign */
    if (n->kind == TAC_LTL_NAME && m->ltl->defined.at[n->left] != TAC_NONE)
        return *known = normalOf(m, m->ltl->defined.at[n->left], not );
    if (n->kind > TAC_LTL_NAME) left = normalOf(m, n->left, not != swapped);
    if (n->kind >= TAC_LTL_AND) right = normalOf(m, n->right, not );
    switch (n->kind) {
    case TAC_LTL_TRUE:
    case TAC_LTL_FALSE: *known = formula(m, (n->kind == TAC_LTL_TRUE) != not ? IS_TRUE : IS_FALSE, 0, 0); break;
    case TAC_LTL_NAME: *known = formula(m, LITERAL, atomOf(m, n->left), not ); break;
    case TAC_LTL_NOT: *known = left; break;
    case TAC_LTL_NEXT: *known = formula(m, NEXT, left, 0); break;
    case TAC_LTL_ALWAYS:
    case TAC_LTL_EVENTUALLY:
        always = (n->kind == TAC_LTL_ALWAYS) != not ;
        *known = formula(m, always ? RELEASE : UNTIL, formula(m, always ? IS_FALSE : IS_TRUE, 0, 0), left);
        break;
    case TAC_LTL_AND: *known = formula(m, not ? OR : AND, left, right); break;
    case TAC_LTL_OR:
    case TAC_LTL_IMPLY: *known = formula(m, not ? AND : OR, left, right); break;
    case TAC_LTL_EQUIVALENT: { /* both, or neither; the opposite: one of them */
        uint32_t other = normalOf(m, n->left, !not ), opposite = normalOf(m, n->right, true),
                 same = normalOf(m, n->right, false), plain = not ? other : left, negated = not ? left : other;
        *known = formula(
            m, OR, formula(m, AND, plain, not ? opposite : same), formula(m, AND, negated, not ? same : opposite));
        break;
    }
    case TAC_LTL_UNTIL: *known = formula(m, not ? RELEASE : UNTIL, left, right); break;
    }
    return *known;
}

/* ---- what is owed next ------------------------------------------------------------------------------------------- */

typedef struct Todo { /* formulas that must hold now */
    uint32_t formula;
    const struct Todo *rest;
} Todo;

typedef struct Branch { /* one way to let them hold */
    uint64_t yes, no;   /* atoms of unknown value that are taken to be true, false */
    uint64_t next;      /* owed next */
    int depth;          /* steps up to here */
} Branch;

/* The bit of a formula that is owed; 0: there are too many, or there is no memory. */
static uint64_t owedBit(Making *m, uint32_t f) {
    for (size_t i = 0; i < m->owing.count; i++)
        if (m->owing.at[i] == f) return (uint64_t) 1 << i;
    if (m->owing.count < MOST_OWED && tacArrayPush(&m->owing, f)) return (uint64_t) 1 << (m->owing.count - 1);
    m->noMemory |= m->owing.count < MOST_OWED;
    m->tooMany = true;
    return 0;
}

/* Adds a set to the result, unless one of its sets is not more than it. */
static void addOwed(Making *m, uint64_t set) {
    State *s = &m->result;
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if ((s->owed[i] & set) == s->owed[i]) return;
    for (int i = 0; i < s->count; i++)
        if ((s->owed[i] & set) != set) s->owed[kept++] = s->owed[i];
    s->count = kept;
    if (s->count == MOST_SETS) m->tooMany = true;
    else s->owed[s->count++] = set;
}

static void expand(Making *m, const Value *values, const Todo *todo, Branch b) {
    m->tooMany |= ++m->steps > MOST_STEPS || ++b.depth > DEEPEST;
    if (m->tooMany) return;
    if (!todo) {
        addOwed(m, b.next);
        return;
    }
    Formula f = m->formulas.at[todo->formula];
    const Todo *rest = todo->rest;
    Todo right = {f.right, rest}, left = {f.left, rest}, both = {f.left, &right};
    Branch later = b;
    switch (f.kind) {
    case IS_TRUE: expand(m, values, rest, b); return;
    case IS_FALSE: return;
    case LITERAL:
        if (values[f.left] != UNKNOWN) {
            if ((values[f.left] == FALSE) == (f.right != 0)) expand(m, values, rest, b);
            return;
        }
        *(f.right ? &b.no : &b.yes) |= (uint64_t) 1 << f.left;
        if (!(b.yes & b.no)) expand(m, values, rest, b);
        return;
    case AND: expand(m, values, &both, b); return;
    case OR:
        expand(m, values, &left, b);
        expand(m, values, &right, b);
        return;
    case NEXT:
        if (m->formulas.at[f.left].kind == IS_FALSE) return;
        if (m->formulas.at[f.left].kind != IS_TRUE) b.next |= owedBit(m, f.left);
        expand(m, values, rest, b);
        return;
    case UNTIL:
        later.next |= owedBit(m, todo->formula);
        expand(m, values, &right, b);
        expand(m, values, &left, later);
        return;
    default: /* RELEASE */
        later.next |= owedBit(m, todo->formula);
        expand(m, values, &both, b);
        expand(m, values, &right, later);
    }
}

/* Lets all formulas of a set hold now. */
static void expandSet(Making *m, const Value *values, uint64_t set) {
    Todo todo[MOST_OWED];
    const Todo *all = NULL;
    for (uint32_t i = 0; i < MOST_OWED; i++) {
        if (!(set >> i & 1)) continue;
        todo[i] = (Todo){m->owing.at[i], all};
        all = &todo[i];
    }
    expand(m, values, all, (Branch){0});
}

/* Values of the atoms at a letter, in the system call into which it has led. */
static void valuesAt(const Making *m, Pulse pulse, Call call, Value *values) {
    for (size_t i = 0; i < m->atoms.count; i++) {
        const Atom *atom = &m->atoms.at[i];
        values[i] = atom->value;
        if (atom->value != UNKNOWN || atom->binding == FREE) continue;
        if (atom->binding == PRIORITY) values[i] = m->priority;
        else if (bindings[atom->binding].pulse) values[i] = bindings[atom->binding].pulse == pulse ? TRUE : FALSE;
        else if (call != CALL_UNKNOWN)
            values[i] = bindings[atom->binding].call == call ? bindings[atom->binding].inside : FALSE;
    }
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

/* The number of a state, whose sets are brought into order. */
static tacStatus stateOf(Making *m, State *s, uint32_t *number) {
    for (int i = 1; i < s->count; i++)
        for (int k = i; k > 0 && s->owed[k] < s->owed[k - 1]; k--) {
            uint64_t owed = s->owed[k];
            s->owed[k] = s->owed[k - 1];
            s->owed[k - 1] = owed;
        }
    uint64_t key[MOST_SETS + 1] = {(uint64_t) s->call};
    memcpy(key + 1, s->owed, (size_t) s->count * sizeof *key);
    *number = tacIntern(&m->stateKeys, (const char *) key, ((size_t) s->count + 1) * sizeof *key);
    if (*number == TAC_NONE) return tacFailMemory(m->err);
    if (*number < m->states.count) return TAC_OK;
    m->tooMany |= m->states.count == MOST_STATES;
    if (m->tooMany) *number = 0;
    return m->tooMany || tacArrayPush(&m->states, *s) ? TAC_OK : tacFailMemory(m->err);
}

/* What is owed at any time: parts of the rule that hold always. */
static uint64_t owedAlways(Making *m, uint32_t f) {
    Formula rule = m->formulas.at[f];
    if (rule.kind == AND) return owedAlways(m, rule.left) | owedAlways(m, rule.right);
    return rule.kind == RELEASE && m->formulas.at[rule.left].kind == IS_FALSE ? owedBit(m, f) : 0;
}

/* The state after which nothing is known of the past, or nothing of it matters any longer. */
static State lostState(Making *m, Call call) {
    return (State){.owed = {owedAlways(m, m->rule)}, .count = 1, .call = call};
}

/* Names a state: what is owed, and the system call where that matters. */
static tacStatus sayName(Making *m, uint32_t number, char name[48]) {
    static const char *const calls[] = {"", "(in-no-call)", "(in-clock_nanosleep)", "(in-epoll_wait)", "(in-futex)"};
    const State *s = &m->states.at[number];
    bool rule = s->count == 1 && s->owed[0] == owedBit(m, m->rule), none = s->count == 1 && s->owed[0] == 0;
    uint32_t k = tacIntern(&m->owedKeys, (const char *) s->owed, (size_t) s->count * sizeof *s->owed);
    if (k == TAC_NONE) return tacFailMemory(m->err);
    if (rule || none) snprintf(name, 48, "%s%s", rule ? "rule" : "kept", calls[s->call]);
    else snprintf(name, 48, "owed-%u%s", (unsigned) k, calls[s->call]);
    return TAC_OK;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

enum { MOST_WORDS = 12 };

static tacStatus say(const Making *m, int count, const char *const *texts) {
    tacWord words[MOST_WORDS];
    for (int i = 0; i < count; i++) words[i] = (tacWord){texts[i], strlen(texts[i])};
    return m->take ? m->take(m->data, words, count, m->ltl->line, m->err) : TAC_OK;
}

/* Does an event tell an atom of the rule? */
static bool matters(const Making *m, const Letter *letter) {
    return letter->pulse ? m->pulses[letter->pulse] : !letter->call || m->calls;
}

/* Says a transition; test: what it needs, or NULL; unexpected: it violates the rule. */
static tacStatus sayOn(Making *m, uint32_t from, const char *trigger, const char *test, uint32_t to, bool unexpected) {
    char here[48], there[48];
    if (!m->take) return TAC_OK;
    if (sayName(m, from, here) != TAC_OK || sayName(m, to, there) != TAC_OK) return TAC_ERROR;
    const char *const on[] = {"on", here, trigger, there}, *const tested[] = {"on", here, trigger, "-if", test, there},
                      *const action[] = {"unexpected"}, *const end[] = {"end"};
    if ((test ? say(m, 6, tested) : say(m, 4, on)) != TAC_OK || (unexpected && say(m, 1, action) != TAC_OK))
        return TAC_ERROR;
    return say(m, 1, end);
}

/* Says what a state does at an event; nothing if the event does not matter. What is owed is forgotten by an event that
 * violates the rule, so that one fault is one finding. */
static tacStatus sayStep(Making *m, uint32_t from, const Letter *letter) {
    Value values[TAC_LTL_ATOMS];
    uint32_t to;
    State s = m->states.at[from];
    if (!matters(m, letter)) return TAC_OK;
    Call call = letter->call ? letter->call : s.call;
    m->result = (State){.call = call};
    if (letter->lost) m->result = lostState(m, CALL_UNKNOWN);
    else {
        valuesAt(m, letter->pulse, call, values);
        for (int i = 0; i < s.count && !m->tooMany; i++) expandSet(m, values, s.owed[i]);
    }
    bool unexpected = !m->result.count && !m->tooMany;
    m->violable |= unexpected;
    if (unexpected) m->result = lostState(m, call);
    if (m->noMemory) return tacFailMemory(m->err);
    if (m->tooMany) return TAC_OK;
    if (stateOf(m, &m->result, &to) != TAC_OK) return TAC_ERROR;
    if (m->tooMany) return TAC_OK;
    if (letter->queued && sayOn(m, from, letter->trigger, letter->queued, from, false) != TAC_OK) return TAC_ERROR;
    return sayOn(m, from, letter->trigger, NULL, to, unexpected);
}

/* Says all transitions; new states join behind. */
static tacStatus saySteps(Making *m) {
    for (uint32_t i = 0; i < m->states.count && !m->tooMany; i++)
        for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
            if (sayStep(m, i, &letters[k]) != TAC_OK) return TAC_ERROR;
    return TAC_OK;
}

/* Says why the models are uncertain: the atoms that no trace records. */
static void sayDoubt(const Making *m, tacText *text) {
    enum { MOST_NAMES = 8 };
    uint32_t unknown = 0, said = 0;
    for (size_t i = 0; i < m->atoms.count; i++)
        unknown += m->atoms.at[i].binding == FREE && m->atoms.at[i].value == UNKNOWN;
    if (m->tooMany) tacTextAddString(text, "the rule may be kept in too many ways at once");
    if (m->tooMany && unknown) tacTextAddString(text, ", since ");
    if (unknown) tacTextAddString(text, "a trace does not record ");
    for (size_t i = 0; i < m->atoms.count && said < MOST_NAMES; i++) {
        const Atom *atom = &m->atoms.at[i];
        if (atom->binding != FREE || atom->value != UNKNOWN) continue;
        tacTextPrintf(text, "%s%s",
            said == 0                 ? ""
                : said + 1 == unknown ? " and "
                                      : ", ",
            tacInternName(&m->ltl->names, atom->name, NULL));
        said++;
    }
    if (said < unknown) tacTextPrintf(text, " and %u more", (unsigned) (unknown - said));
}

/* Says the first statement of a model, and its states. */
static tacStatus sayHead(Making *m, const char *name, const char *priority) {
    const char *words[MOST_WORDS] = {"model", name, "-each", "task"};
    tacText text = {0};
    char state[48];
    int n = 4;
    sayDoubt(m, &text);
    if (text.length) {
        words[n++] = "-unjudged";
        words[n++] = text.at;
    }
    if (priority) {
        words[n++] = "-priority";
        words[n++] = priority;
    }
    tacStatus status = text.failed ? tacFailMemory(m->err) : say(m, n, words);
    for (uint32_t i = 0; i < m->states.count && status == TAC_OK; i++) {
        status = sayName(m, i, state);
        const char *const line[] = {"state", state, "-initial"};
        if (status == TAC_OK) status = say(m, i == 0 ? 3 : 2, line);
    }
    tacTextFree(&text);
    return status;
}

/* Makes the model of tasks that are real-time ones, or not; `always`: also if nothing can violate it. */
static tacStatus makeModel(
    Making *m, const char *name, const char *priority, Value value, bool always, tacStatementTaker *take) {
    static const char *const end[] = {"end"};
    State first = {.owed = {owedBit(m, m->rule)}, .count = 1, .call = CALL_UNKNOWN};
    uint32_t number;
    tacInternFree(&m->stateKeys);
    tacInternFree(&m->owedKeys);
    m->stateKeys = m->owedKeys = (tacInternTable){0};
    m->states.count = 0;
    m->tooMany = m->violable = false;
    m->priority = value;
    m->take = NULL;
    m->steps = 0;
    if (m->noMemory) return tacFailMemory(m->err);
    if (stateOf(m, &first, &number) != TAC_OK || saySteps(m) != TAC_OK) return TAC_ERROR;
    if (!always && !m->violable) return TAC_OK;
    if (m->tooMany) m->states.count = 1;
    m->take = take;
    m->steps = 0;
    if (sayHead(m, name, priority) != TAC_OK || saySteps(m) != TAC_OK) return TAC_ERROR;
    return say(m, 1, end);
}

static tacStatus make(Making *m, const char *name, tacStatementTaker *take) {
    size_t names = tacInternCount(&m->ltl->names), nodes = m->ltl->nodes.count;
    bool priority = false;
    m->atomOf = tacAlloc((names + 1) * sizeof *m->atomOf);
    m->normal = tacAlloc((2 * nodes + 1) * sizeof *m->normal);
    if (!m->atomOf || !m->normal) return tacFailMemory(m->err);
    for (size_t i = 0; i < names; i++) m->atomOf[i] = TAC_NONE;
    for (size_t i = 0; i < 2 * nodes; i++) m->normal[i] = TAC_NONE;
    m->rule = normalOf(m, m->ltl->rule, false);
    if (m->rule == TAC_NONE) return tacFailMemory(m->err);
    if (m->bad.code[0]) return tacFail(m->err, m->bad.code, "%s", m->bad.message);
    if (m->atoms.count > TAC_LTL_ATOMS)
        return tacFail(
            m->err, "EXPECT LTL", "line %u: the rule has more than %d atoms", (unsigned) m->ltl->line, TAC_LTL_ATOMS);
    for (size_t i = 0; i < m->atoms.count; i++) {
        const Atom *atom = &m->atoms.at[i];
        if (atom->value != UNKNOWN) continue;
        priority |= atom->binding == PRIORITY;
        if (atom->binding < 0) continue;
        m->pulses[bindings[atom->binding].pulse] = true;
        m->calls |= !bindings[atom->binding].pulse;
    }
    m->pulses[PULSE_NONE] = true;
    if (!priority) return makeModel(m, name, NULL, FALSE, true, take);
    tacText fair = {0};
    tacTextPrintf(&fair, "%s-fair", name);
    tacStatus status = fair.failed ? tacFailMemory(m->err) : makeModel(m, name, "< 100", TRUE, true, take);
    if (status == TAC_OK) status = makeModel(m, fair.at, ">= 100", FALSE, false, take);
    tacTextFree(&fair);
    return status;
}

tacStatus tacLtlStatements(const tacLtl *ltl, const tacWord *name, const tacFileSettings *set, tacStatementTaker *take,
    void *data, tacError *err) {
    Making m = {.ltl = ltl, .set = set, .data = data, .err = err};
    char *text = tacCopyText(name->at, name->length);
    tacStatus status = text ? make(&m, text, take) : tacFailMemory(err);
    tacFree(text);
    tacFree(m.atomOf);
    tacFree(m.normal);
    tacArrayFree(&m.atoms);
    tacArrayFree(&m.formulas);
    tacArrayFree(&m.owing);
    tacArrayFree(&m.states);
    tacInternFree(&m.table);
    tacInternFree(&m.stateKeys);
    tacInternFree(&m.owedKeys);
    return status;
}
