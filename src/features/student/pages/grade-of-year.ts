/** A grade of the working year. */
export interface GradeOfYear {
  academicYearId: number;
  gradeId: number;
}
