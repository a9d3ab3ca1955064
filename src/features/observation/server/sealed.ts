import type { UserContext } from '#kit/server/context.ts';
import { open, seal } from '#kit/server/security/sealed.ts';
import { notUnder, type SealedColumn } from '#kit/server/security/sealed-column.ts';

type Keys = Pick<UserContext, 'keys'>;

const notePlace = (id: number) => `observation_note.note_sealed:${id}`;
const addendumPlace = (id: number) => `observation_addendum.text_sealed:${id}`;
const draftPlace = (id: number) => `observation_draft.answers:${id}`;

export const sealNote = ({ keys }: Keys, id: number, note: string) => seal(keys.data, notePlace(id), note);
export const openNote = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, notePlace(id), sealed).toString();
export const sealAddendum = ({ keys }: Keys, id: number, text: string) => seal(keys.data, addendumPlace(id), text);
export const openAddendum = ({ keys }: Keys, id: number, sealed: Buffer) =>
  open(keys.data, addendumPlace(id), sealed).toString();
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
