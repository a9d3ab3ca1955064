import { onlyAdmin, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /configuration/grade-subject': onlyAdmin,
  'GET /configuration/grade-subject/program': onlyAdmin,
  'PUT /configuration/grade-subject': onlyAdmin,
  'POST /configuration/grade-subject/copy': onlyAdmin,
  'GET /configuration/student-subject': onlyAdmin,
  'GET /configuration/student-subject/student': onlyAdmin,
  'PUT /configuration/student-subject': onlyAdmin,
};
