/* oven.c -- a sensor of its own: the temperature of an oven, a thousand times a second, for a minute. */
#include <stddef.h>
#include <tactusrec.h>
#include <time.h>

struct temperature {
    double celsius;
    uint32_t heater; /* is it on? */
};

static const tacrec_field fields[] = {{"celsius", TACREC_REAL, offsetof(struct temperature, celsius), 8},
    {"heater", TACREC_UNSIGNED, offsetof(struct temperature, heater), 4}};
static const tacrec_layout layout = {.name = "temperature",
    .kind = TACREC_SIMPLE,
    .size = sizeof(struct temperature),
    .capacity = 1000, /* elements that are kept: those of the last second */
    .fields = fields,
    .fieldCount = 2};

int main(void) {
    static tacrec_directory directory;
    static tacrec_sensor sensor;
    const struct timespec millisecond = {0, 1000000};
    double celsius = 20;
    uint32_t heater = 1;
    tacrec_openDefault(&directory, NULL, 1 << 17);
    tacrec_add(&directory, &sensor, &layout);
    for (int i = 0; i < 60000; i++) {
        celsius += heater ? 0.05 : -0.02;
        if (celsius > 180) heater = 0;
        if (celsius < 178) heater = 1;
        struct temperature *t = tacrec_write(&sensor);
        t->celsius = celsius;
        t->heater = heater;
        tacrec_commit(&sensor, t);
        nanosleep(&millisecond, NULL);
    }
    tacrec_close(&directory, false);
    return 0;
}
