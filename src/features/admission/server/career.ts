import { type Handler, routes } from '#kit/server/routes.ts';
import { careerApi } from '../contract/career.ts';
import { answer } from './form.ts';

const list = 'lstCareerMaster';

const sectors: Handler<typeof careerApi.sectors> = async ({ db }) => {
  const rows = await careers(db).where('sector_id', 'is', null).execute();
  return answer(list, rows);
};

const specialties: Handler<typeof careerApi.specialties> = async ({ db }, { careerID }) => {
  const sector = /^[0-9]{1,9}$/.test(careerID) ? Number(careerID) : 0;
  return answer(list, await careers(db).where('sector_id', '=', sector).execute());
};

export default routes(careerApi, { sectors, specialties });

type Database = Parameters<typeof sectors>[0]['db'];

const careers = (db: Database) =>
  db
    .selectFrom('academic_career')
    .where('is_active', '=', true)
    .select(['id as careerID', 'name as careerName'])
    .orderBy('name');
