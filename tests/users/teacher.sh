# teacher.sh -- "I explain blocking with a small trace, and I have thirty traces of students to mark."
tactus export lesson.tactus lesson.pdf --preset beamer
tactus export lesson.tactus lesson.png --preset beamer --legend right
tactus why lesson.tactus high > why.txt
tactus stats lesson.tactus --of jobs --format csv > jobs.csv
tactus stats lesson.tactus --of mutexes --format csv > mutexes.csv
tactus check lesson.tactus > lesson.txt; echo $? > lesson.status

tactus check students/01.tactus --expect exercise.expect > first.txt; echo $? > first.status
tactus check students --expect exercise.expect > marks.txt; echo $? > marks.status
tactus check students --expect exercise.expect --format junit > marks.xml
tactus export students/04.tactus late.png --deadlines all
