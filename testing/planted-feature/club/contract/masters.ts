import { admin } from '#access/contract/grants.ts';
import { field } from '#kit/contract/field.ts';
import { defineMaster } from '#kit/contract/master.ts';
import { text } from '#kit/contract/text.ts';

export const clubMaster = defineMaster({
  table: 'club',
  path: '/club',
  singular: text`club`,
  plural: text`clubs`,
  description: text`Planted clubs, such as chess.`,
  access: [admin()],
  fields: { name: field.text(text`Name`, { max: 60 }) },
});
