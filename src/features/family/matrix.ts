import { anyone, familyHolder, type Rows } from '#testing/callers.ts';

export const rows: Rows = {
  'GET /family': familyHolder,
  'POST /family/opened': familyHolder,
  'POST /family/renewal': anyone,
};
