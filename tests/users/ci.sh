# ci.sh -- "A nightly job: a thousand traces, limits for all tasks at once, a report for the build server, and the worst
# of them."
tactus check traces --with all --expect limits.expect --fail-on error --format junit > check.xml; echo $? > check.status
tactus check good --with all --expect limits.expect --fail-on error > good.txt; echo $? > good.status

tactus sql "SELECT trace, task, max(response) AS worst FROM jobs GROUP BY trace, task ORDER BY worst DESC LIMIT 10" \
    traces --format csv > worst.csv
tactus sql "SELECT task, count(response) AS jobs, median(response) AS p50, percentile(response, 99) AS p99
FROM jobs GROUP BY task" traces --format csv > tasks.csv
tactus sql "SELECT trace, count(*) AS late FROM jobs WHERE lateness > 0 GROUP BY trace" traces --format csv > late.csv
tactus stats traces --of jobs --group-by task --columns 'count,p99(response),max(response)' --format csv > groups.csv
tactus stats traces --of jobs --where 'lateness > 0' --group-by trace --columns count --sort -count --top 5 \
    --format csv > most.csv

tactus baseline before -o baseline.txt
tactus compare baseline.txt before --fail-on 'p95(response) > +5%' > same.txt; echo $? > same.status
tactus compare baseline.txt after --fail-on 'p95(response) > +5%' --format junit > worse.xml; echo $? > worse.status
tactus compare baseline.txt after --format csv > compare.csv
