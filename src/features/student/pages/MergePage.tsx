import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { RadioField, TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { CardButtons, Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { WayBack } from '#kit/browser/record/RecordWay.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { markChoices } from '../contract/hooks.ts';
import { studentList } from '../contract/list.ts';
import { type MergeHead, mergeApi } from '../contract/merge.ts';
import { ChooseFields } from './ChooseFields.tsx';
import { FindOther } from './FindOther.tsx';
import { TextLines } from './TextLines.tsx';

/** /school-erp/student/student-list/{studentID}/merge?with=: two records of one child become one. */
export function MergePage() {
  const { t } = useLingui();
  const { studentID } = useParams({ strict: false }) as { studentID: string };
  const { address, go } = useListAddress();
  const other = address.with ?? '';
  return (
    <>
      <WayBack to="/school-erp/student/student-list" title={t`Student List`} list={studentList} />
      <PageHead title={t`Merge two records of one child`} />
      {other === '' ? (
        <FindOther id={Number(studentID)} choose={(id) => go({ ...address, with: String(id) })} />
      ) : (
        <Compared
          id={studentID}
          other={other}
          keeps={address.keeps ?? ''}
          keep={(id) => go({ ...address, keeps: id })}
        />
      )}
    </>
  );
}

interface ComparedProps {
  id: string;
  other: string;
  keeps: string;
  keep: (id: string) => void;
}

function Compared({ id, other, keeps, keep }: ComparedProps) {
  const found = useRead(mergeApi.compare, { id, with: other, keeps } as never);
  return (
    <QueryBoundary query={found}>
      {(pair) => <MergeForm key={pair.kept.id} pair={pair} keep={(chosen) => keep(String(chosen))} />}
    </QueryBoundary>
  );
}

type Pair = OutputOf<typeof mergeApi.compare>;

function MergeForm({ pair, keep }: { pair: Pair; keep: (id: number) => void }) {
  const { t } = useLingui();
  const { kept, retired, fields, isAsked, decides } = pair;
  const toast = useToast();
  const navigate = usePageNavigate();
  const [taken, setTaken] = useState<string[]>([]);
  const [exceptions, setExceptions] = useState<string[]>([]);
  const preview = usePreview(mergeApi.merge);
  const { sums = [], collisions = [], texts = [], blocks = [], bothPresent = 0 } = preview.shown?.answer ?? {};
  const isBlocked = preview.shown?.answer.confirmToken === null;
  const bothMarked = kept.marks > 0 && retired.marks > 0;
  const swap = (list: string[], one: string) =>
    list.includes(one) ? list.filter((own) => own !== one) : [...list, one];
  return (
    <ApiForm
      endpoint={mergeApi.merge}
      label={t`Merge two records of one child`}
      initial={{ marks: markChoices[0], isOneChild: false, reason: '' }}
      hiddenValues={{ keptId: kept.id, retiredId: retired.id, taken, exceptions }}
      onDone={(answer, input) => preview.take(input, answer)}
      buttons={(isSending) => (
        <CardButtons>
          <Button type="submit" kind="main" isBusy={isSending} disabled={isAsked}>
            <Trans>Preview the sums…</Trans>
          </Button>
        </CardButtons>
      )}
    >
      {isAsked && (
        <Notice role="status">
          <Trans>A merge of these records waits for the principal.</Trans>
        </Notice>
      )}
      <Cards>
        <RecordCard isWide title={<Trans>1. Which number is kept?</Trans>}>
          <Heads kept={kept} retired={retired} />
          <CardButtons>
            <Button onClick={() => keep(retired.id)}>
              <Trans>Keep GR {retired.grNo} instead</Trans>
            </Button>
          </CardButtons>
        </RecordCard>
        <RecordCard isWide title={<Trans>2. Which entries are true?</Trans>}>
          <ChooseFields fields={fields} other={t`GR ${retired.grNo}`} taken={taken} onTake={setTaken} />
        </RecordCard>
        {bothMarked && (
          <RecordCard isWide title={<Trans>3. Marks of days that both have</Trans>}>
            <RadioField name="marks" options={markChoices} />
            {collisions.length > 0 && (
              <CardTable
                caption={t`Days with different marks`}
                heads={[t`Day`, t`GR ${kept.grNo}`, t`GR ${retired.grNo}`, t`Counts`]}
                rows={collisions.map((row) => ({
                  key: `${row.key} ${translate(row.label)}`,
                  cells: [
                    translate(row.label),
                    translate(row.kept),
                    translate(row.retired),
                    translate(row.chosen === 'kept' ? row.kept : row.retired),
                  ],
                  actions:
                    row.key === '' ? (
                      <Trans>The year is closed.</Trans>
                    ) : (
                      <Button kind="quiet" onClick={() => setExceptions(swap(exceptions, row.key))}>
                        {exceptions.includes(row.key) ? <Trans>Back to the rule</Trans> : <Trans>The other one</Trans>}
                      </Button>
                    ),
                }))}
              />
            )}
          </RecordCard>
        )}
        <RecordCard
          isWide
          title={bothMarked ? <Trans>4. Why, and the sums</Trans> : <Trans>3. Why, and the sums</Trans>}
        >
          <TextField name="reason" />
          {bothPresent > 0 && (
            <Notice role="status">
              <Trans>Both were present on {bothPresent} half days. Are they one child?</Trans>
            </Notice>
          )}
          <TickField name="isOneChild" />
        </RecordCard>
      </Cards>
      <PreviewDialog
        preview={preview}
        title={isBlocked ? t`These records can’t be merged yet` : t`Merge GR ${retired.grNo} into GR ${kept.grNo}?`}
        confirm={decides ? <Trans>Merge</Trans> : <Trans>Ask the principal</Trans>}
        details={
          <Stack gap={12}>
            <TextLines lines={blocks} />
            {isBlocked && blocks.length === 0 && (
              <p>
                <Trans>Both were present on {bothPresent} half days. Tick “They are one child” if they are.</Trans>
              </p>
            )}
            {blocks.length === 0 && (
              <>
                <AmountTable
                  caption={t`Sums`}
                  heads={[t`Amount`, t`GR ${kept.grNo}`, t`GR ${retired.grNo}`, t`Afterwards`]}
                  amounts={[t`GR ${kept.grNo}`, t`GR ${retired.grNo}`, t`Afterwards`]}
                  rows={sums.map(({ label, kind, ...sum }) => ({
                    key: label.id,
                    cells: [translate(label), ...[sum.kept, sum.retired, sum.after].map((value) => shown(kind, value))],
                  }))}
                />
                <TextLines lines={texts} />
              </>
            )}
          </Stack>
        }
        onApplied={({ isAsked: waits }) => {
          void navigate({ to: '/school-erp/student/student-list/$studentID', params: { studentID: String(kept.id) } });
          toast({ kind: 'success', title: waits ? t`The principal was asked.` : t`The records were merged.` });
        }}
      >
        {isBlocked && <Trans>Fix this first:</Trans>}
      </PreviewDialog>
    </ApiForm>
  );
}

const shown = (kind: 'count' | 'money', value: number) => (kind === 'money' ? showMoney(value) : String(value));

/** The two records side by side; what tells two children apart is marked. */
function Heads({ kept, retired }: { kept: MergeHead; retired: MergeHead }) {
  const { t } = useLingui();
  const differs = (name: 'gender' | 'birthDate' | 'branch') => kept[name] !== retired[name];
  const link = ({ id, name }: MergeHead) => (
    <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
      {name}
    </PageLink>
  );
  const row = (label: string, of: (head: MergeHead) => string | number, isWrong = false) => ({
    key: label,
    cells: [
      isWrong ? (
        <strong key="label" className="error">
          {label} <Trans>(differs)</Trans>
        </strong>
      ) : (
        label
      ),
      of(kept),
      of(retired),
    ],
  });
  return (
    <CardTable
      caption={t`The two records`}
      heads={['', t`Kept: GR ${kept.grNo}`, t`Ends: GR ${retired.grNo}`]}
      rows={[
        { key: 'name', cells: [t`Name`, link(kept), link(retired)] },
        row(t`Birth date`, ({ birthDate }) => showDate(birthDate), differs('birthDate')),
        row(t`Gender`, ({ gender }) => translateOption(gender), differs('gender')),
        row(t`Branch`, ({ branch }) => branch, differs('branch')),
        row(t`Class`, ({ place }) => place || '–'),
        row(t`Admitted on`, ({ admittedOn }) => showDate(admittedOn)),
        row(t`Called first`, ({ adult }) => adult || '–'),
        row(t`Receipts`, ({ receipts }) => receipts),
        row(t`Marks of attendance`, ({ marks }) => marks),
      ]}
    />
  );
}
