import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { emptyValuesOf, omit, pick } from '#kit/contract/field.ts';
import { type HealthAnswers, healthApi, healthFields } from '../contract/health.ts';
import { healthQuestions } from '../contract/health-questions.ts';
import type { StudentHead } from '../contract/record.ts';
import { Reveal } from './Reveal.tsx';

const boxNames = healthQuestions.flatMap(({ opens }) => opens.map(({ name }) => name));
const questionNames = healthQuestions.map(({ name }) => name);
const others = omit(healthFields, ...questionNames, ...boxNames);

interface Revealed {
  version: number;
  answers: HealthAnswers;
}

/** What the family and the nurse say about a student's health: shown with a reason. */
export function HealthCard({ head: { id } }: { head: StudentHead }) {
  const { t } = useLingui();
  const health = useRead(healthApi.health, { id });
  const [revealed, setRevealed] = useState<Revealed>();
  const shown = revealed?.version === health.data?.version ? revealed : undefined;
  const form = (title: string, label: string, from: HealthAnswers | undefined) => (
    <FormOpener title={title} label={label}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={healthApi.saveHealth}
          initial={from ? typedOf(healthFields, from) : emptyValuesOf(healthFields)}
          hiddenValues={{ id, version: health.data?.version ?? 0 }}
          onDone={() => setRevealed(undefined)}
          onClose={onClose}
        >
          <Questions />
          <FieldControls fields={others} />
        </RecordForm>
      )}
    </FormOpener>
  );
  const acts = health.data && (
    <>
      {health.data.may.save && health.data.version === 0 && form(t`Record health`, t`Record`, undefined)}
      {health.data.may.save && shown && form(t`Edit health`, t`Edit`, shown.answers)}
      {shown && (
        <Button kind="quiet" onClick={() => setRevealed(undefined)}>
          <Trans>Hide</Trans>
        </Button>
      )}
      {health.data.may.reveal && !shown && (
        <Reveal title={t`Show health answers`} endpoint={healthApi.revealHealth} id={id} onDone={setRevealed} />
      )}
    </>
  );
  return (
    <RecordCard isWide title={<Trans>Health</Trans>} actions={acts}>
      <QueryBoundary query={health}>
        {({ version, may }) => {
          if (shown) return <Answers answers={shown.answers} />;
          if (version === 0) return <EmptyState message={<Trans>Nothing is recorded about health.</Trans>} />;
          return (
            <p className="soft">
              {may.reveal ? (
                <Trans>Health answers are recorded. They are shown with a reason, which the audit log keeps.</Trans>
              ) : (
                <Trans>Health answers are recorded. Nurse, counsellor and principal may read them.</Trans>
              )}
            </p>
          );
        }}
      </QueryBoundary>
    </RecordCard>
  );
}

/** Each question, with its boxes where the answer is Yes. */
function Questions() {
  const { values } = useApiForm();
  return healthQuestions.map(({ name, opens }) => (
    <FieldControls
      key={name}
      fields={pick(healthFields, name, ...(values[name] === true ? opens.map((box) => box.name) : []))}
    />
  ));
}

/** What is answered Yes, with its text; then the rest. */
function Answers({ answers }: { answers: HealthAnswers }) {
  const { t } = useLingui();
  const yes = healthQuestions.filter(({ name }) => answers[name]);
  const told = pick(healthFields, ...yes.flatMap(({ name, opens }) => [name, ...opens.map((box) => box.name)]));
  const no = factsOf(pick(healthFields, ...questionNames.filter((name) => !answers[name])), answers);
  return (
    <Facts
      facts={[
        ...factsOf(told, answers),
        ...factsOf(others, answers),
        { label: t`Answered No`, value: no.map(({ label }) => label).join(', ') },
      ]}
    />
  );
}
