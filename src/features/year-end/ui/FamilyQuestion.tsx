import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Block } from '#features/family/ui/Block.tsx';
import '#features/family/ui/more-texts.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { showDay } from '#kit/contract/format.ts';
import { answers, type FamilyQuestion, stayingApi } from '../contract/family.ts';
import styles from './StayingPart.module.css';

/** Whether a child will stay in the next year, and the own answer until the deadline. */
export function Body({ question }: { question: FamilyQuestion }) {
  const { studentId, year, words, until, state } = question;
  const [kept, setKept] = useState(question.answer);
  const [chosen, setChosen] = useState<string>(question.answer);
  const [nextSchool, setNextSchool] = useState(question.nextSchool);
  const { run, isBusy, problem } = useAction(stayingApi.answer);
  const day = showDay(until, useLanguage());
  const name = `staying-${studentId}`;
  return (
    <Block title={<Trans>Next year, {year}</Trans>}>
      <p className={styles.words}>{words}</p>
      {state === 'Open' ? (
        <form
          className={styles.form}
          onSubmit={async (event) => {
            event.preventDefault();
            if (await run({ studentId, answer: chosen, nextSchool })) setKept(chosen as typeof kept);
          }}
        >
          <fieldset>
            <legend>
              <Trans>Your answer</Trans>
            </legend>
            {answers.map((answer) => (
              <label key={answer}>
                <input
                  type="radio"
                  name={name}
                  required
                  checked={chosen === answer}
                  onChange={() => setChosen(answer)}
                />
                {translateOption(answer)}
              </label>
            ))}
          </fieldset>
          {chosen === 'Leaving' && (
            <label>
              <Trans>Next school, if you know it</Trans>
              <input
                type="text"
                maxLength={120}
                value={nextSchool}
                onChange={(event) => setNextSchool(event.currentTarget.value)}
              />
            </label>
          )}
          <button type="submit" aria-disabled={isBusy}>
            <Trans>Save answer</Trans>
          </button>
          {problem}
          <p role="status">
            {kept ? (
              <Trans>
                Saved: {translateOption(kept)}. You can change it until {day}.
              </Trans>
            ) : (
              <Trans>Please answer by {day}.</Trans>
            )}
          </p>
        </form>
      ) : (
        <p>
          {state === 'Office' ? (
            <Trans>The school’s office has an answer. Call it to change that.</Trans>
          ) : kept ? (
            <Trans>
              Your answer: {translateOption(kept)}. The time to answer ended on {day}; the school’s office can change
              it.
            </Trans>
          ) : (
            <Trans>The time to answer ended on {day}. The school’s office can still enter your answer.</Trans>
          )}
        </p>
      )}
    </Block>
  );
}
