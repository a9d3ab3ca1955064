import { sql } from 'kysely';
import type { UserContext } from '#kit/server/context.ts';
import type { DataCorrection } from '#kit/server/job/corrections.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { notUnder, type SealedColumn } from '#kit/server/security/sealed-column.ts';

type Keys = Pick<UserContext, 'keys'>;

const notePlace = (id: number) => `observation_note.note_sealed:${id}`;
const whereaboutsPlace = (id: number) => `observation_note.place_sealed:${id}`;
const remarkPlace = (id: number) => `observation_follow_up.remark_sealed:${id}`;
const addendumPlace = (id: number) => `observation_addendum.text_sealed:${id}`;
const draftPlace = (id: number) => `observation_draft.answers:${id}`;

export const sealNote = ({ keys }: Keys, id: number, note: string) => seal(keys.data, notePlace(id), note);
export const openNote = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, notePlace(id), sealed).toString();
export const sealAddendum = ({ keys }: Keys, id: number, text: string) => seal(keys.data, addendumPlace(id), text);
export const openAddendum = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, addendumPlace(id), sealed).toString();
/** An empty text needs no seal: null. */
export const sealPlace = ({ keys }: Keys, id: number, place: string) =>
  place === '' ? null : seal(keys.data, whereaboutsPlace(id), place);
export const openPlace = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, whereaboutsPlace(id), sealed).toString();
/** An empty text needs no seal: null. */
export const sealRemark = ({ keys }: Keys, id: number, remark: string) =>
  remark === '' ? null : seal(keys.data, remarkPlace(id), remark);
export const openRemark = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, remarkPlace(id), sealed).toString();
export const sealDraft = ({ keys }: Keys, id: number, answers: object) =>
  seal(keys.data, draftPlace(id), JSON.stringify(answers));
export const openDraft = ({ keys }: Keys, id: number, sealed: Buffer): Record<string, unknown> =>
  JSON.parse(open(keys.data, draftPlace(id), sealed).toString());

/** The encrypted columns of observations. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    select: `select id::text as key, 'observation_note.note_sealed:' || id as place, note_sealed as sealed
      from observation_note where note_sealed is not null and ${notUnder('note_sealed')}`,
    update: 'update observation_note set note_sealed = $1 where id = $2::integer and note_sealed = $3',
  },
  {
    select: `select id::text as key, 'observation_note.place_sealed:' || id as place, place_sealed as sealed
      from observation_note where place_sealed is not null and ${notUnder('place_sealed')}`,
    update: 'update observation_note set place_sealed = $1 where id = $2::integer and place_sealed = $3',
  },
  {
    select: `select id::text as key, 'observation_follow_up.remark_sealed:' || id as place, remark_sealed as sealed
      from observation_follow_up where remark_sealed is not null and ${notUnder('remark_sealed')}`,
    update: 'update observation_follow_up set remark_sealed = $1 where id = $2::integer and remark_sealed = $3',
  },
  {
    select: `select id::text as key, 'observation_addendum.text_sealed:' || id as place, text_sealed as sealed
      from observation_addendum where text_sealed is not null and ${notUnder('text_sealed')}`,
    update: 'update observation_addendum set text_sealed = $1 where id = $2::integer and text_sealed = $3',
  },
  {
    select: `select id::text as key, 'observation_draft.answers:' || id as place, answers as sealed
      from observation_draft where ${notUnder('answers')}`,
    update: 'update observation_draft set answers = $1 where id = $2::integer and answers = $3',
  },
];

/** Places and remarks of restricted notes were stored open. */
export const sealOpen: DataCorrection = {
  name: '202611291220_observation_sealed',
  correct: async ({ db, keys }) => {
    const notes = await db
      .selectFrom('observation_note')
      .where('reach', '=', 'Restricted')
      .where('place', '<>', '')
      .select(['id', 'place'])
      .execute();
    const places = notes.map(({ id, place }) => sealPlace({ keys }, id, place));
    await sql`update observation_note own set place = '', place_sealed = new.sealed
      from unnest(${notes.map(({ id }) => id)}::integer[], ${places}::bytea[]) as new (id, sealed)
      where own.id = new.id and own.reach = 'Restricted'`.execute(db);
    const followUps = await db
      .selectFrom('observation_follow_up as own')
      .innerJoin('observation_note as note', 'note.id', 'own.note_id')
      .where('note.reach', '=', 'Restricted')
      .where('own.remark', '<>', '')
      .select(['own.id', 'own.remark'])
      .execute();
    const remarks = followUps.map(({ id, remark }) => sealRemark({ keys }, id, remark));
    await sql`update observation_follow_up own set remark = '', remark_sealed = new.sealed
      from unnest(${followUps.map(({ id }) => id)}::integer[], ${followUps.map(({ remark }) => remark)}::text[],
        ${remarks}::bytea[]) as new (id, remark, sealed)
      where own.id = new.id and own.remark = new.remark`.execute(db);
  },
};
