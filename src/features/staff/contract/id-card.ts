import { staffKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { selection } from '#kit/contract/list-view.ts';
import { servedFile } from '#kit/contract/served-file.ts';

/** The most cards of one file: a minute's work on a slow machine. */
export const mostIdCards = 200;

export const staffIdCardApi = {
  /** The ID cards of the selected staff as a PDF; people who have left get none. */
  print: endpoint({
    method: 'POST',
    path: '/staff/id-card',
    access: staffKeepers,
    changes: [],
    ownTransactions: true,
    input: selection,
    output: servedFile,
  }),
};
