/** What the three parts work on: a grade of the working year. */
export interface GradeOfYear {
  academicYearId: number;
  gradeId: number;
}
