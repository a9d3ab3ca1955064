import { studentKeepers } from '#access/contract/grants.ts';
import { documentsOf } from '#kit/contract/documents.ts';
import { changes, path, shows, timelineReaders } from './record.ts';

/** Read by the principal too; the office adds, decides and removes. */
export const studentDocumentApi = documentsOf({
  path,
  opens: 'student',
  shows,
  changes,
  read: timelineReaders,
  keep: studentKeepers,
  decide: studentKeepers,
});
