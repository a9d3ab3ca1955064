import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead, useReadList } from '#kit/browser/data/read.ts';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Overdue, Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { noteApi, noteList, noteStudents } from '../contract/note.ts';
import { observationPages } from '../contract/pages.ts';
import type { Polarity } from '../contract/words.ts';
import { polarityKinds } from './kinds.ts';

const NoteForm = lazy(async () => ({ default: (await import('./NoteForm.tsx')).NoteForm }));

type Open = { what: 'add' | 'praise' } | { what: 'draft'; id: number };

/** /school-erp/student-observation/student-observation-list: dated notes on students. */
export function StudentObservationPage() {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [opened, setOpen] = useState<Open>();
  // Search opens the page with an act in its address.
  const [asked] = (['add', 'praise'] as const).filter((what) => what === address.act);
  const open = opened ?? (asked && { what: asked });
  const close = () => {
    setOpen(undefined);
    if (address.act) go({ ...address, act: '' });
  };
  const add = () => setOpen({ what: 'add' });
  const about = useReadList(noteStudents, { chosenId: address.studentId ?? '', limit: 1 }, Boolean(address.studentId));
  const chosen = address.studentId
    ? (about.data ?? []).filter(({ id }) => String(id) === address.studentId).map(({ id, name }) => ({ id, name }))
    : [];
  return (
    <>
      <PageHead title={translate(observationPages[0].title)} />
      <RecordList
        list={noteList}
        open={({ id }) => ({
          to: '/school-erp/student-observation/student-observation-list/$noteID',
          params: { noteID: String(id) },
        })}
        isSoft={({ isWithdrawn }) => isWithdrawn}
        cells={{
          polarity: ({ polarity }) => (
            <Status kind={polarityKinds[polarity as Polarity]}>{translateOption(polarity)}</Status>
          ),
          firstLine: ({ firstLine, isWithdrawn, reach }) =>
            isWithdrawn ? (
              <span className="soft">
                <Trans>Withdrawn</Trans>
              </span>
            ) : reach === 'Restricted' ? (
              <Chip kind="warn">
                <Trans>Restricted</Trans>
              </Chip>
            ) : (
              firstLine
            ),
          followUp: ({ followUp, isOverdue }) => (isOverdue ? <Overdue>{followUp}</Overdue> : followUp),
        }}
        notice={<Drafts onOpen={(id) => setOpen({ what: 'draft', id })} />}
        onAdd={add}
        empty={{
          message: <Trans>No observations yet. Press N to write the first.</Trans>,
          children: (
            <Button kind="main" onClick={add}>
              {t`Add observation`}
            </Button>
          ),
        }}
      />
      {open && !(address.studentId && about.isLoading) && (
        <Suspense fallback={null}>
          <NoteForm
            key={open.what === 'draft' ? open.id : 'new'}
            students={open.what === 'draft' ? [] : chosen}
            answers={open.what === 'praise' ? { polarity: 'Positive' } : undefined}
            draftId={open.what === 'draft' ? open.id : undefined}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

/** The user’s own drafts, above the list. */
function Drafts({ onOpen }: { onOpen: (id: number) => void }) {
  const { t } = useLingui();
  const { data = [] } = useRead(noteApi.drafts, {});
  const remove = useAction(noteApi.removeDraft);
  if (data.length === 0) return null;
  return (
    <Notice as="section" aria-label={t`Drafts`}>
      {data.map(({ id, about, changedAt }) => (
        <p key={id}>
          <Button kind="link" onClick={() => onOpen(id)}>
            <Trans>Draft of {showMoment(changedAt)}</Trans>
          </Button>{' '}
          {about}{' '}
          <ConfirmButton
            name={t`Delete the draft of ${showMoment(changedAt)}`}
            label={<Trans>Delete</Trans>}
            confirm={<Trans>Delete the draft</Trans>}
            question={<Trans>This can’t be undone.</Trans>}
            onConfirm={() => remove.run({ id })}
          />
        </p>
      ))}
      {remove.problem}
    </Notice>
  );
}
