import { admin } from '#features/account/contract/access.ts';
import { defineMaster, field } from '#kit/contract/master.ts';

export const clubMaster = defineMaster({
  table: 'club',
  path: '/club',
  singular: 'club',
  plural: 'clubs',
  description: 'Planted clubs, such as chess.',
  access: [admin()],
  fields: { name: field.text('Name', { max: 60 }) },
});
