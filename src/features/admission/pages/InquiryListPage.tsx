import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { AddDialog } from '#kit/browser/list/AddDialog.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Selection } from '#kit/contract/list-view.ts';
import { inquiryApi, inquiryKeepers, inquiryPickLists } from '../contract/inquiry.ts';
import { inquiryList } from '../contract/list.ts';
import { emptyInquiry, InquiryFields } from './InquiryFields.tsx';
import { InquiryStateChip } from './InquiryState.tsx';

/** Several inquiries of one phone call, or of one day, share these. */
const keeps = ['academicYearId', 'programId', 'leadSourceId', 'quota', 'assignedToId'];

/** /school-erp/admission/inquiry: every family that has asked for admission. */
export function InquiryListPage() {
  const { t } = useLingui();
  const { data: me } = useRead(signInApi.me, {});
  const navigate = usePageNavigate();
  const [isAdding, setAdding] = useState(false);
  const isKeeper = me && inquiryKeepers.some(({ sets }) => sets.some((set) => me.sets.includes(set)));
  const add = isKeeper ? () => setAdding(true) : undefined;
  const addressOf = (id: number) =>
    ({ to: '/school-erp/admission/inquiry/$inquiryID', params: { inquiryID: String(id) } }) as const;
  return (
    <>
      <PageHead title={t`Inquiry`} />
      <RecordList
        list={inquiryList}
        open={({ id }) => addressOf(id)}
        cells={{
          state: ({ state }) => <InquiryStateChip state={state as 'New'} />,
          nextFollowUpOn: ({ nextFollowUpOn, isOverdue }) =>
            isOverdue ? <Chip kind="bad">{showDate(nextFollowUpOn)}</Chip> : nextFollowUpOn && showDate(nextFollowUpOn),
        }}
        onAdd={add}
        bulk={isKeeper ? (selection, clear) => <Assign selection={selection} clear={clear} /> : undefined}
        empty={
          add
            ? {
                message: <Trans>No inquiries yet. Add one when a family calls.</Trans>,
                children: (
                  <Button kind="main" onClick={add}>
                    <Trans>Add inquiry</Trans>
                  </Button>
                ),
              }
            : { message: <Trans>No inquiries yet.</Trans> }
        }
      />
      {isAdding && (
        <AddDialog
          title={t`Add inquiry`}
          endpoint={inquiryApi.create}
          initial={emptyInquiry}
          keeps={keeps}
          nameFields={['firstName', 'lastName']}
          onOpen={({ id }) => void navigate(addressOf(id))}
          onClose={() => setAdding(false)}
        >
          <InquiryFields isNew>
            <TickField name="sendsForm" hint={<Trans>By email where there is an address, else by SMS.</Trans>} />
          </InquiryFields>
        </AddDialog>
      )}
    </>
  );
}

interface AssignProps {
  selection: Selection;
  clear: () => void;
}

/** Assigns the selected inquiries. */
function Assign({ selection, clear }: AssignProps) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(inquiryApi.assign);
  const title = t`Assign the selected inquiries`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Assign…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={inquiryApi.assign}
              label={title}
              initial={{ assignedToId: '' }}
              hiddenValues={{ selection }}
              onDone={(answer, input) => preview.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <OptionField name="assignedToId" options={inquiryPickLists.assignedToId} />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <BulkAct
        preview={preview}
        title={title}
        effect={(count) => t`Inquiries to assign: ${count}`}
        confirm={<Trans>Assign</Trans>}
        onApplied={() => {
          setOpen(false);
          clear();
          toast({ kind: 'success', title: t`Assigned.` });
        }}
      />
    </>
  );
}
