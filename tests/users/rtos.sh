# rtos.sh -- "My board prints a log. Why was the control job late, and who held the bus?"
tactus map board.csv > guessed.map
tactus stats board.csv --map guessed.map --of jobs --format csv > guessed.csv
tactus stats board.csv --map board.map --of jobs --format csv > jobs.csv
tactus stats board.jsonl --map json.map --of jobs --format csv > json.csv

tactus check board.csv --map board.map --with deadline > check.txt; echo $? > check.status
tactus why board.csv control --map board.map > why.txt
tactus why board.csv control --map board.map --format json > why.json
tactus sql "SELECT mutex, task, count(*) AS holds, max(length) AS longest FROM holds GROUP BY mutex, task" board.csv \
    --map board.map --format csv > holds.csv

tactus export board.csv board.png --map board.map --from 4500 --to 10200 --axis-unit ms --deadlines all
