# kernel.sh -- "A recording of the kernel: how long does my real-time thread wait after a wake-up, who keeps it waiting,
# and how much time goes to interrupts?"
tactus stats rt.ftrace --of jobs --where 'task_name == sampler' --format csv > jobs.csv
tactus stats rt.ftrace --of tasks --format csv > tasks.csv
tactus stats rt.ftrace --of processors --format csv > processors.csv
tactus sql "SELECT processor, round(100 * (isr + softirq) / (busy + idle + unknown), 3) AS percent FROM processors" \
    rt.ftrace --format csv > share.csv

tactus why rt.ftrace sampler > why.txt
tactus sql "SELECT task, kind, by_task, sum(time) AS time, count(*) AS jobs FROM delays
WHERE depth = 0 AND kind <> 'running' GROUP BY task, kind, by_task ORDER BY time DESC" rt.ftrace --format csv > delays.csv

tactus map rt.ftrace > rt.map
tactus check rt.ftrace --map rt.map --with deadline > check.txt; echo $? > check.status
tactus export rt.ftrace stacked.png --view stacked --task sampler --sort response --width 7in
