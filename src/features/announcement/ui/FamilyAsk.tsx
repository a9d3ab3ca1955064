import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import '#features/family/ui/more-texts.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { showDay } from '#kit/contract/format.ts';
import type { FamilyNotice } from '../contract/family.ts';
import { familyAskApi } from '../contract/family-ask.ts';
import styles from './FamilyAsk.module.css';

interface Props {
  notice: FamilyNotice;
}

/** What an announcement asks of the guardian: to acknowledge it, or an answer for each child. */
export function Body({ notice }: Props) {
  if (notice.asks === 'Acknowledgement') return <Acknowledge notice={notice} />;
  return notice.toAnswer.map(({ id, name }) => <Answer key={id} notice={notice} childId={id} name={name} />);
}

function Acknowledge({ notice: { id, number, acknowledgeBy, ...notice } }: Props) {
  const { run, isBusy, problem } = useAction(familyAskApi.acknowledge);
  const [isDone, setDone] = useState(notice.isAcknowledged);
  const day = showDay(acknowledgeBy, useLanguage());
  return (
    <>
      <p role="status">{isDone && <Trans>You have acknowledged it.</Trans>}</p>
      {!isDone && (
        <p>
          <button
            type="button"
            className={styles.button}
            aria-disabled={isBusy}
            onClick={async () => {
              if (await run({ id, number })) setDone(true);
            }}
          >
            <Trans>I have read it</Trans>
          </button>{' '}
          {acknowledgeBy && <Trans>by {day}</Trans>}
        </p>
      )}
      {problem}
    </>
  );
}

interface AnswerProps extends Props {
  childId: number;
  name: string;
}

function Answer({ notice, childId, name }: AnswerProps) {
  const { id, number, asks, options, acknowledgeBy, isOpen, answers } = notice;
  const given = answers.find(({ studentId }) => studentId === childId)?.answer ?? '';
  const [kept, setKept] = useState(given);
  const [chosen, setChosen] = useState(given);
  const { run, isBusy, problem } = useAction(familyAskApi.answer);
  const day = showDay(acknowledgeBy, useLanguage());
  // The school writes its choices itself.
  const words = (answer: string) => (asks === 'Consent' ? translateOption(answer) : answer);
  const answer = words(kept);
  if (!isOpen)
    return (
      <p>
        <strong>{name}</strong>:{' '}
        {kept ? (
          <Trans>
            Your answer: {answer}. The time to answer ended on {day}; the school’s office can change it.
          </Trans>
        ) : (
          <Trans>The time to answer ended on {day}. The school’s office can still enter your answer.</Trans>
        )}
      </p>
    );
  return (
    <form
      className={styles.form}
      onSubmit={async (event) => {
        event.preventDefault();
        if (await run({ id, number, studentId: childId, answer: chosen })) setKept(chosen);
      }}
    >
      <fieldset>
        <legend>{name}</legend>
        {options.map((option) => (
          <Row as="label" key={option} align="center" className={styles.choice}>
            <input
              type="radio"
              name={`answer-${id}-${childId}`}
              required
              checked={chosen === option}
              onChange={() => setChosen(option)}
            />
            {words(option)}
          </Row>
        ))}
      </fieldset>
      <button type="submit" className={styles.button} aria-disabled={isBusy}>
        <Trans>Save answer</Trans>
      </button>
      {problem}
      <p role="status">
        {kept ? (
          <Trans>
            Saved: {answer}. You can change it until {day}.
          </Trans>
        ) : (
          <Trans>Please answer by {day}.</Trans>
        )}
      </p>
    </form>
  );
}
