import { signedIn, staffKeepers } from '#access/contract/grants.ts';
import { documentsOf } from '#kit/contract/documents.ts';
import { options } from '#kit/contract/text.ts';
import { changes, shows } from './record.ts';

/** What a keeper has to do about documents; all but a waiting one are due. */
export const documentStates = options('Expired', 'Expiring', 'Missing', 'Waiting');

/** For the person and the keepers; to everyone else the record has no documents. */
export const staffDocumentApi = documentsOf({
  path: '/staff',
  opens: 'staff',
  shows: [...shows, 'document-type'],
  changes,
  read: signedIn,
  keep: signedIn,
  decide: staffKeepers,
});
