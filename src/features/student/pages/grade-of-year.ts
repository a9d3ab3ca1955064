export interface GradeOfYear {
  academicYearId: number;
  gradeId: number;
}
