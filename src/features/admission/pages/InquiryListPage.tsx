import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import { inquiryApi } from '../contract/inquiry.ts';
import { inquiryList } from '../contract/list.ts';
import { officeFields } from '../contract/record.ts';
import { AddInquiry } from './AddInquiry.tsx';
import { AssignSelected } from './AssignSelected.tsx';
import { FollowUpForm } from './FollowUpForm.tsx';
import { InquiryStateChip } from './InquiryState.tsx';
import { OfAdmissionYear } from './OfAdmissionYear.tsx';
import { SendSelected } from './SendSelected.tsx';

const ImportInquiries = lazy(async () => ({ default: (await import('./ImportInquiries.tsx')).ImportInquiries }));

/** "INQ/2026-27/00011" as "26-27/11": in the list each number has the same beginning. */
const shortNumber = (inquiryNo: string) => inquiryNo.replace(/^[A-Z]+\/20([0-9]{2}-[0-9]{2})\/0*/, '$1/');

/** /school-erp/admission/inquiry: every family that has asked for admission. */
export function InquiryListPage() {
  const { t } = useLingui();
  const [opened, setOpen] = useState<'add' | 'import' | number>();
  const isKeeper = useMay(inquiryApi.create);
  const { address, go } = useListAddress();
  // Search and the dashboard open the page with an act in its address.
  const open = opened ?? (isKeeper && address.act === 'add' ? 'add' : undefined);
  const add = isKeeper ? () => setOpen('add') : undefined;
  const importAll = () => setOpen('import');
  const close = () => {
    setOpen(undefined);
    if (address.act) go({ ...address, act: '' });
  };
  const addressOf = (id: number) =>
    ({ to: '/school-erp/admission/inquiry/$inquiryID', params: { inquiryID: String(id) } }) as const;
  return (
    <>
      <PageHead title={t`Inquiry`} />
      <OfAdmissionYear>
        {(usual) => (
          <RecordList
            usual={usual}
            list={inquiryList}
            open={({ id }) => addressOf(id)}
            cells={{
              state: ({ state, progress }) => (
                <>
                  <InquiryStateChip state={state as 'New'} />{' '}
                  {state === 'In progress' && <span className="soft">{progress}/5</span>}
                </>
              ),
              inquiryNo: ({ inquiryNo }) => (
                <span className="soft" title={inquiryNo}>
                  {shortNumber(inquiryNo)}
                </span>
              ),
              nextFollowUpOn: ({ id, child, nextFollowUpOn, isOverdue }) => {
                const day = nextFollowUpOn && showDate(nextFollowUpOn, today());
                if (!isOverdue) return day;
                const late = <Overdue>{day}</Overdue>;
                if (!isKeeper || address.tab !== 'overdue') return late;
                return (
                  <>
                    {late}{' '}
                    <Button kind="link" aria-label={t`Log follow-up: ${child}`} onClick={() => setOpen(id)}>
                      <Trans>Log follow-up</Trans>
                    </Button>
                  </>
                );
              },
            }}
            onAdd={add}
            more={
              isKeeper && (
                <Menu.Item onClick={importAll}>
                  <Trans>Import…</Trans>
                </Menu.Item>
              )
            }
            bulk={
              isKeeper
                ? (selection, clear) => (
                    <>
                      <SendSelected
                        selection={selection}
                        clear={clear}
                        endpoint={inquiryApi.sendMany}
                        label={<Trans>Send form…</Trans>}
                        title={t`Send the form to the selected families`}
                        effect={(count) => t`Families that get the form’s link: ${count}`}
                      />
                      <SendSelected
                        selection={selection}
                        clear={clear}
                        endpoint={inquiryApi.remindMany}
                        label={<Trans>Remind…</Trans>}
                        title={t`Remind the selected families`}
                        effect={(count) => t`Families to remind: ${count}`}
                      />
                      <AssignSelected
                        selection={selection}
                        clear={clear}
                        endpoint={inquiryApi.assign}
                        field="assignedToId"
                        options={officeFields.assignedToId.to.options}
                        title={t`Assign the selected inquiries`}
                        effect={(count) => t`Inquiries to assign: ${count}`}
                      />
                    </>
                  )
                : undefined
            }
            empty={
              add
                ? {
                    message: <Trans>No inquiries yet. Add one when a family calls, or import a list.</Trans>,
                    children: (
                      <>
                        <Button kind="main" onClick={add}>
                          <Trans>Add inquiry</Trans>
                        </Button>{' '}
                        <Button onClick={importAll}>
                          <Trans>Import…</Trans>
                        </Button>
                      </>
                    ),
                  }
                : { message: <Trans>No inquiries yet.</Trans> }
            }
          />
        )}
      </OfAdmissionYear>
      {open === 'add' && <AddInquiry onClose={close} />}
      {typeof open === 'number' && <FollowUpForm id={open} onClose={close} />}
      {open === 'import' && (
        <Suspense fallback={null}>
          <ImportInquiries onClose={close} />
        </Suspense>
      )}
    </>
  );
}
