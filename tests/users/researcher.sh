# researcher.sh -- "I have a simulator of global EDF. How long do jobs take, which miss, is the schedule right, and how
# does it get into my paper?"
tactus stats edf.tactus --of jobs --format csv > jobs.csv
tactus stats edf.tactus --of jobs --where 'lateness > 0' --format csv > late.csv
tactus stats edf.tactus --of tasks --format csv > tasks.csv
tactus stats edf.tactus --of processors --from 0 --to 55 --format csv > processors.csv

tactus check edf.tactus --with priority,sanity,execution > right.txt; echo $? > right.status
tactus check edf.tactus > deadlines.txt; echo $? > deadlines.status
tactus check wrong.tactus --with priority > wrong.txt; echo $? > wrong.status

tactus export edf.tactus edf.pdf --preset ieee-column --convention rtsched --from 0 --to 24
tactus export edf.tactus again.pdf --preset ieee-column --convention rtsched --from 0 --to 24
tactus export edf.tactus edf.png --preset ieee-column --convention rtsched --from 0 --to 24
tactus export edf.tactus responses.png --view histogram --task t3
