import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { type Meeting, meetingApi, meetingList } from '../contract/meeting.ts';
import { meetingPages } from '../contract/pages.ts';
import { PlanMeeting } from './PlanMeeting.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/meeting/meeting-list: meetings of parents with teachers, and how many times are booked. */
export function MeetingListPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const [isAdding, setAdding] = useState(address.act === 'add');
  const add = useMay(meetingApi.create) ? () => setAdding(true) : undefined;
  return (
    <>
      <PageHead title={translate(meetingPages[0].title)} />
      <RecordList
        list={meetingList}
        open={({ id }) => ({ to: '/school-erp/meeting/meeting-list/$meetingID', params: { meetingID: String(id) } })}
        cells={{
          state: ({ state }) => <Status kind={stateKinds[state as Meeting['state']]}>{translateOption(state)}</Status>,
        }}
        onAdd={add}
        empty={{
          message: add ? (
            <Trans>No meetings yet. Families book their times with the teachers themselves.</Trans>
          ) : (
            <Trans>You have no times at a meeting.</Trans>
          ),
          children: add && (
            <Button kind="main" onClick={add}>
              {t`New meeting`}
            </Button>
          ),
        }}
      />
      {isAdding && add && <PlanMeeting onClose={() => setAdding(false)} />}
    </>
  );
}
