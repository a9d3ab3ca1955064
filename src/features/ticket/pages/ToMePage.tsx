import { Trans } from '@lingui/react/macro';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { toMeList } from '../contract/list.ts';
import { ticketPages } from '../contract/pages.ts';
import { WorkActs } from './BulkActs.tsx';
import { chipOf } from './TimeChip.tsx';

/** /school-erp/ticket/ticket-entry-assign-to-me: what the user works on, and the queue of the department. */
export function ToMePage() {
  return (
    <>
      <PageHead title={translate(ticketPages[1].title)} />
      <RecordList
        list={toMeList}
        open={({ id }) => ({ to: '/school-erp/ticket/ticket-entry/$ticketID', params: { ticketID: String(id) } })}
        cells={{ chip: chipOf, priority: ({ priority }) => translateOption(priority) }}
        bulk={(selection, clear) => <WorkActs selection={selection} clear={clear} />}
        empty={{ message: <Trans>No tickets yet. Those assigned to you or to your department are listed here.</Trans> }}
      />
    </>
  );
}
