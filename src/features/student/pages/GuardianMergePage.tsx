import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { CardButtons, Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { WayBack } from '#kit/browser/record/RecordWay.tsx';
import { translate } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type AdultHead, guardianMergeApi } from '../contract/guardian-merge.ts';
import { studentList } from '../contract/list.ts';
import { ChooseFields } from './ChooseFields.tsx';
import { TextLines } from './TextLines.tsx';

/** …/{studentID}/guardian/{guardianID}/merge?with=: two records of one adult become one. */
export function GuardianMergePage() {
  const { t } = useLingui();
  const { studentID, guardianID } = useParams({ strict: false }) as { studentID: string; guardianID: string };
  const { address, go } = useListAddress();
  const other = address.with ?? '';
  const found = useRead(guardianMergeApi.doubts, { id: Number(guardianID) });
  return (
    <>
      <WayBack to="/school-erp/student/student-list" title={t`Student List`} list={studentList} />
      <PageHead title={t`Merge two records of one adult`} />
      {other === '' ? (
        <QueryBoundary query={found}>
          {({ name, adults }) => (
            <Doubts name={name} adults={adults} choose={(id) => go({ ...address, with: String(id) })} />
          )}
        </QueryBoundary>
      ) : (
        <Compared
          id={guardianID}
          other={other}
          keeps={address.keeps ?? ''}
          studentID={studentID}
          keep={(id) => go({ ...address, keeps: String(id) })}
        />
      )}
    </>
  );
}

interface DoubtsProps extends OutputOf<typeof guardianMergeApi.doubts> {
  choose: (id: number) => void;
}

function Doubts({ name, adults, choose }: DoubtsProps) {
  const { t } = useLingui();
  if (adults.length === 0)
    return (
      <p className="soft">
        <Trans>
          No other adult has the name of {name} with the same number, or at the same child. Correct the name or number
          first.
        </Trans>
      </p>
    );
  return (
    <CardTable
      caption={t`May be the same as ${name}`}
      heads={[t`Name`, t`Relation`, t`Mobile number`, t`Children`]}
      rows={adults.map((adult) => ({
        key: adult.id,
        cells: [adult.name, adult.relation, adult.mobile, <Children key="children" {...adult} />],
        actions: (
          <Button kind="quiet" onClick={() => choose(adult.id)}>
            <Trans>Compare</Trans>
          </Button>
        ),
      }))}
    />
  );
}

const Children = ({ children, others }: Pick<AdultHead, 'children' | 'others'>) => (
  <>
    {children.join(', ')}
    {others > 0 && (
      <>
        {' '}
        <Trans>{others} more in other branches</Trans>
      </>
    )}
  </>
);

interface ComparedProps {
  id: string;
  other: string;
  keeps: string;
  studentID: string;
  keep: (id: number) => void;
}

function Compared({ id, other, keeps, studentID, keep }: ComparedProps) {
  const found = useRead(guardianMergeApi.compare, { id, with: other, keeps } as never);
  return (
    <QueryBoundary query={found}>
      {(pair) => <MergeForm key={pair.kept.id} pair={pair} studentID={studentID} keep={keep} />}
    </QueryBoundary>
  );
}

interface FormProps {
  pair: OutputOf<typeof guardianMergeApi.compare>;
  studentID: string;
  keep: (id: number) => void;
}

function MergeForm({ pair: { kept, retired, fields }, studentID, keep }: FormProps) {
  const { t } = useLingui();
  const toast = useToast();
  const navigate = usePageNavigate();
  const [taken, setTaken] = useState<string[]>([]);
  const preview = usePreview(guardianMergeApi.merge);
  const { sums = [], texts = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = preview.shown?.answer.confirmToken === null;
  return (
    <ApiForm
      endpoint={guardianMergeApi.merge}
      label={t`Merge two records of one adult`}
      initial={{ reason: '' }}
      hiddenValues={{ id: kept.id, retiredId: retired.id, taken }}
      onDone={(answer, input) => preview.take(input, answer)}
      buttons={(isSending) => (
        <CardButtons>
          <Button type="submit" kind="main" isBusy={isSending}>
            <Trans>Preview the sums…</Trans>
          </Button>
        </CardButtons>
      )}
    >
      <Cards>
        <RecordCard isWide title={<Trans>1. Which record is kept?</Trans>}>
          <Heads kept={kept} retired={retired} />
          <CardButtons>
            <Button onClick={() => keep(retired.id)}>
              <Trans>Keep the other one instead</Trans>
            </Button>
          </CardButtons>
        </RecordCard>
        <RecordCard isWide title={<Trans>2. Which entries are true?</Trans>}>
          <ChooseFields fields={fields} other={t`the record that ends`} taken={taken} onTake={setTaken} />
        </RecordCard>
        <RecordCard isWide title={<Trans>3. Why</Trans>}>
          <TextField name="reason" />
        </RecordCard>
      </Cards>
      <PreviewDialog
        preview={preview}
        title={isBlocked ? t`These adults can’t be merged yet` : t`Merge the two records of ${kept.name}?`}
        confirm={<Trans>Merge</Trans>}
        details={
          <Stack gap={12}>
            <TextLines lines={blocks} />
            {blocks.length === 0 && (
              <>
                <AmountTable
                  caption={t`Sums`}
                  heads={[t`Amount`, t`Kept`, t`Ends`, t`Afterwards`]}
                  amounts={[t`Kept`, t`Ends`, t`Afterwards`]}
                  rows={sums.map((sum) => ({
                    key: sum.label.id,
                    cells: [translate(sum.label), String(sum.kept), String(sum.retired), String(sum.after)],
                  }))}
                />
                <TextLines lines={texts} />
              </>
            )}
          </Stack>
        }
        onApplied={() => {
          void navigate({ to: '/school-erp/student/student-list/$studentID', params: { studentID } });
          toast({ kind: 'success', title: t`The records were merged.`, of: kept.name });
        }}
      >
        {isBlocked && <Trans>Fix this first:</Trans>}
      </PreviewDialog>
    </ApiForm>
  );
}

function Heads({ kept, retired }: { kept: AdultHead; retired: AdultHead }) {
  const { t } = useLingui();
  const row = (label: string, of: (head: AdultHead) => React.ReactNode) => ({
    key: label,
    cells: [label, of(kept) || '–', of(retired) || '–'],
  });
  return (
    <CardTable
      caption={t`The two records`}
      heads={['', t`Kept`, t`Ends`]}
      rows={[
        row(t`Name`, ({ name }) => name),
        row(t`Relation`, ({ relation }) => relation),
        row(t`Mobile number`, ({ mobile }) => mobile),
        row(t`Email address`, ({ email }) => email),
        row(t`Children`, (head) => <Children {...head} />),
        row(t`Link of the family page`, ({ hasLink }) => (hasLink ? t`works` : '')),
      ]}
    />
  );
}
