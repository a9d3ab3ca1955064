import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useSend } from '#kit/browser/data/read.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { sectionStudentApi } from '../contract/section-student.ts';

export type MoveInput = InputOf<typeof sectionStudentApi.move> & { from: string };
export type MoveAnswer = OutputOf<typeof sectionStudentApi.move>;

interface Props {
  input: MoveInput;
  /** What the server wants agreed to. */
  asked: MoveAnswer;
  onDone: (answer: MoveAnswer) => void;
  onClose: () => void;
}

/** Asks before a move that changes the grade or forgets a later one, and does it as it was asked. */
export function MoveQuestion({ input, asked, onDone, onClose }: Props) {
  const { t } = useLingui();
  const move = useSend(sectionStudentApi.move);
  const { attempt, problem } = useAttempt();
  const [answer, setAnswer] = useState(asked);
  const { to, moved } = answer;
  const day = showDate(input.from);
  return (
    <AskDialog
      title={to ? t`Move to ${to}` : t`Take out of the section`}
      confirm={to ? <Trans>Move</Trans> : <Trans>Take out</Trans>}
      problem={
        <>
          <What answer={answer} />
          {problem}
        </>
      }
      onClose={onClose}
      onConfirm={(close) =>
        attempt(async () => {
          const next = await move({ ...input, agreed: answer.digest });
          if (!next.isDone) {
            setAnswer(next);
            throw new AppError('conflict', t`Something was changed meanwhile. Look at it once more.`);
          }
          close();
          onDone(next);
        })
      }
    >
      {to ? (
        <Plural
          value={moved}
          one={`# student is in ${to} from ${day} on. The days before stay as they were.`}
          other={`# students are in ${to} from ${day} on. The days before stay as they were.`}
        />
      ) : (
        <Plural
          value={moved}
          one={`# student has no section from ${day} on. The days before stay as they were.`}
          other={`# students have no section from ${day} on. The days before stay as they were.`}
        />
      )}
    </AskDialog>
  );
}

function What({ answer: { to, changed, corrected, forgotten } }: { answer: MoveAnswer }) {
  const { t } = useLingui();
  return (
    <ul className="plan">
      {changed.map((one) => (
        <li key={`changed ${one.name}`}>
          <strong>{one.name}</strong>: {t`enrolled in ${one.from} to the day before, and anew in ${to} from then on.`}
        </li>
      ))}
      {corrected.map((one) => (
        <li key={`corrected ${one.name}`}>
          <strong>{one.name}</strong>: {t`was to begin in ${one.from} on this very day. Nothing of that is kept.`}
        </li>
      ))}
      {forgotten.map((one) => (
        <li key={`forgotten ${one.name} ${one.from}`} className="seat-full">
          {one.to
            ? t`${one.name}: the move to ${one.to} from ${showDate(one.from)} on is forgotten.`
            : t`${one.name}: it is forgotten that no section is held from ${showDate(one.from)} on.`}
        </li>
      ))}
    </ul>
  );
}
