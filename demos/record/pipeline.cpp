/*
 * pipeline.cpp -- a producer and a consumer in C++, which record themselves: jobs, a queue between them, a stretch that
 * ends with its scope, and a sensor of the program's own.
 *
 *      c++ -std=c++17 pipeline.cpp -pthread $(pkg-config --cflags --libs tactusrec) -o pipeline
 *      tactus record -o pipeline.tacs ./pipeline
 *
 * `./pipeline FOLDER` leaves its directory of sensors there, which tactus opens as well.
 */
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <queue>
#include <tactusrec_trace.h>
#include <thread>

namespace {

constexpr int values = 20;

/* A stretch of the calling task, as long as the object lives. */
class Stretch {
  public:
    explicit Stretch(uint32_t name) : name(name) { tacrec_begin(name); }
    ~Stretch() { tacrec_end(name); }
    Stretch(const Stretch &) = delete;
    Stretch &operator=(const Stretch &) = delete;

  private:
    uint32_t name;
};

/* What the program's own sensor writes, and what its fields are called. */
struct Sample {
    double value;
    uint32_t number, waiting;
};

const tacrec_field fields[] = {
    {"value", TACREC_REAL, offsetof(Sample, value), sizeof(double)},
    {"number", TACREC_UNSIGNED, offsetof(Sample, number), sizeof(uint32_t)},
    {"waiting", TACREC_UNSIGNED, offsetof(Sample, waiting), sizeof(uint32_t)},
};

/* A queue whose length is seen: what is in it stands in the trace. */
class Queue {
  public:
    explicit Queue(uint32_t buffer) : buffer(buffer) {}

    uint32_t put(int value) {
        std::lock_guard<std::mutex> hold(mutex);
        waiting.push(value);
        tacrec_bufferPush(buffer, value);
        filled.notify_one();
        return static_cast<uint32_t>(waiting.size());
    }

    int take() {
        std::unique_lock<std::mutex> hold(mutex);
        filled.wait(hold, [this] { return !waiting.empty(); });
        int value = waiting.front();
        waiting.pop();
        tacrec_bufferPop(buffer);
        return value;
    }

  private:
    uint32_t buffer;
    std::queue<int> waiting;
    std::mutex mutex;
    std::condition_variable filled;
};

void work(std::chrono::microseconds time) {
    auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) continue;
}

void produce(uint32_t task, uint32_t consumer, Queue &queue, tacrec_sensor &samples) {
    tacrec_thisTask(task);
    for (int i = 1; i <= values; i++) {
        tacrec_job job = tacrec_jobOf(task, static_cast<uint32_t>(i));
        tacrec_jobArrived(job);
        tacrec_jobStarted(job);
        work(std::chrono::microseconds(300));
        tacrec_jobArrived(tacrec_jobOf(consumer, static_cast<uint32_t>(i)));
        uint32_t waiting = queue.put(i);
        auto *sample = static_cast<Sample *>(tacrec_write(&samples));
        *sample = {i / 8.0, static_cast<uint32_t>(i), waiting};
        tacrec_commit(&samples, sample);
        tacrec_jobCompleted(job);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void consume(uint32_t task, uint32_t filter, Queue &queue) {
    tacrec_thisTask(task);
    for (int i = 1; i <= values; i++) {
        int value = queue.take();
        tacrec_job job = tacrec_jobOf(task, static_cast<uint32_t>(value));
        tacrec_jobStarted(job);
        {
            Stretch stretch(filter);
            work(std::chrono::microseconds(i % 5 ? 500 : 2500));
        }
        tacrec_jobCompleted(job);
    }
}

} // namespace

int main(int count, char **words) {
    static tacrec_directory directory;
    static tacrec_sensor samples;
    tacrec_layout layout{};
    layout.name = "sample";
    layout.kind = TACREC_SIMPLE;
    layout.size = sizeof(Sample);
    layout.capacity = 256;
    layout.fields = fields;
    layout.fieldCount = sizeof fields / sizeof *fields;
    if (count > 1) tacrec_open(&directory, words[1], "pipeline", TACREC_TRACE_BYTES, 0);
    else tacrec_openDefault(&directory, "pipeline", TACREC_TRACE_BYTES);
    tacrec_traceOpen(&directory, nullptr);
    tacrec_add(&directory, &samples, &layout);
    tacrec_said said{};
    said.capacity = values;
    uint32_t producer = tacrec_newTask("producer", nullptr), consumer = tacrec_newTask("consumer", nullptr);
    Queue queue(tacrec_newBuffer("values", &said));
    std::thread second(consume, consumer, tacrec_newMark("filter"), std::ref(queue));
    std::thread first(produce, producer, consumer, std::ref(queue), std::ref(samples));
    first.join();
    second.join();
    tacrec_traceClose();
    tacrec_close(&directory, count > 1);
    return 0;
}
