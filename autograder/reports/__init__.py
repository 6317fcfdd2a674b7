"""What a grading run leaves behind: report.json, the pages, grades.csv and the table in the terminal."""
