import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { lineApi, lineBounceFields } from '../contract/line.ts';

type Candidate = OutputOf<typeof lineApi.candidates>['rows'][number];

interface Props {
  line: { id: number; version: number; day: string; narration: string; amount: number | null };
  onClose: () => void;
}

/** What a line may be of; the user chooses after a look at the reference. */
export function MatchLine({ line, onClose }: Props) {
  const { t } = useLingui();
  const found = useRead(lineApi.candidates, { id: line.id });
  const title = t`Match ${showMoney(line.amount ?? 0)}`;
  const rows = found.data?.rows ?? [];
  if (rows.length > 0) return <MatchForm line={line} rows={rows} title={title} onClose={onClose} />;
  return (
    <SideDialog title={title} about={aboutOf(line)} onClose={onClose}>
      {() => (
        <QueryBoundary query={found}>
          {() => (
            <EmptyState
              message={
                <Trans>
                  No payment, slip, cheque or refund fits this line. Take the money without a child, or set the line
                  aside.
                </Trans>
              }
            />
          )}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

const aboutOf = ({ day, narration }: Props['line']) => [showDate(day), narration].join(' · ');

function MatchForm({ line, rows, title, onClose }: Props & { rows: readonly Candidate[]; title: string }) {
  const { t } = useLingui();
  const named = rows.filter(({ isNamed }) => isNamed);
  const [only] = named.length === 1 ? named : [];
  const [chosen, setChosen] = useState<Candidate | undefined>(only);
  return (
    <RecordForm
      title={title}
      about={aboutOf(line)}
      endpoint={lineApi.match}
      initial={{ ...emptyValuesOf(lineBounceFields), ofId: only?.id ?? null }}
      hiddenValues={{ id: line.id, version: line.version, kind: chosen?.kind ?? rows[0]?.kind ?? 'Payment' }}
      words={t`Match`}
      saved={(_, { cleared }) => (cleared > 0 ? t`Matched, cheques cleared: ${cleared}` : t`Matched.`)}
      onClose={onClose}
    >
      <Candidates rows={rows} amount={line.amount ?? 0} chosen={chosen} onChoose={setChosen} />
      {chosen?.kind === 'Returned cheque' && <FieldControls fields={lineBounceFields} />}
    </RecordForm>
  );
}

interface CandidatesProps {
  rows: readonly Candidate[];
  amount: number;
  chosen: Candidate | undefined;
  onChoose: (row: Candidate) => void;
}

function Candidates({ rows, amount, chosen, onChoose }: CandidatesProps) {
  const { t } = useLingui();
  const parts = useQuestion({ name: 'ofId' });
  return (
    <Questions parts={parts}>
      {rows.map((row, index) => (
        <ChoiceRow
          key={`${row.kind} ${row.id}`}
          type="radio"
          id={index === 0 ? 'ofId' : `ofId-${index}`}
          name="ofId"
          value={`${row.kind} ${row.id}`}
          label={[translateOption(row.kind), row.name, showMoney(row.amount)].join(' · ')}
          hint={[
            row.about,
            row.isNamed ? t`number found in the line` : t`only amount and dates match`,
            row.amount !== amount && t`another amount`,
          ]
            .filter(Boolean)
            .join(', ')}
          checked={chosen === row}
          onChange={() => {
            onChoose(row);
            parts.change('ofId', row.id);
          }}
        />
      ))}
    </Questions>
  );
}
