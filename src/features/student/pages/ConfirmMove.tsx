import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionStudentApi } from '../contract/section-student.ts';
import { TextLines } from './TextLines.tsx';

export type MoveAnswer = OutputOf<typeof sectionStudentApi.move>;

/** A move without further effects needs no question. */
export const useMove = () =>
  usePreview(sectionStudentApi.move, ({ changed, corrected, forgotten, also, blocks }) =>
    [changed, corrected, forgotten, also, blocks].every(({ length }) => length === 0),
  );

interface Props {
  move: Preview<typeof sectionStudentApi.move>;
  onMoved: (answer: MoveAnswer) => void;
}

/** Asks before a move that has further effects, such as on the grade or a later move. */
export function ConfirmMove({ move, onMoved }: Props) {
  const { t } = useLingui();
  if (!move.shown) return null;
  const { answer, input } = move.shown;
  const { to, moved, blocks } = answer;
  const day = showDate(String(input.from));
  if (blocks.length > 0)
    return (
      <PreviewDialog
        preview={move}
        title={to ? t`Can’t move to ${to} yet` : t`Can’t remove from the section yet`}
        details={<TextLines lines={blocks} />}
        confirm={<Trans>Move</Trans>}
        onApplied={onMoved}
      >
        <Trans>Fix this first:</Trans>
      </PreviewDialog>
    );
  return (
    <PreviewDialog
      preview={move}
      title={to ? t`Move to ${to}` : t`Remove from the section`}
      details={<MoveEffects answer={answer} day={day} />}
      confirm={to ? <Trans>Move</Trans> : <Trans>Remove</Trans>}
      onApplied={onMoved}
    >
      {to ? (
        <Plural
          value={moved}
          one={`# student moves to ${to} on ${day}. Earlier records don’t change.`}
          other={`# students move to ${to} on ${day}. Earlier records don’t change.`}
        />
      ) : (
        <Plural
          value={moved}
          one={`# student has no section from ${day}. Earlier records don’t change.`}
          other={`# students have no section from ${day}. Earlier records don’t change.`}
        />
      )}
    </PreviewDialog>
  );
}

function MoveEffects({
  answer: { to, changed, corrected, forgotten, also },
  day,
}: {
  answer: MoveAnswer;
  day: string;
}) {
  const { t } = useLingui();
  return (
    <>
      <ul className="plan">
        {changed.map((student) => (
          <li key={`changed ${student.name}`}>
            <strong>{student.name}</strong>: {t`Leaves ${student.from} and joins ${to} on ${day}.`}
          </li>
        ))}
        {corrected.map((student) => (
          <li key={`corrected ${student.name}`}>
            <strong>{student.name}</strong>:{' '}
            {t`The enrolment in ${student.from} starts on the same day and will be replaced.`}
          </li>
        ))}
        {forgotten.map((student) => (
          <li key={`forgotten ${student.name} ${student.from}`} className="seat-full">
            {student.to
              ? t`${student.name}: the move to ${student.to} on ${showDate(student.from)} will be cancelled.`
              : t`${student.name}: the removal from the section on ${showDate(student.from)} will be cancelled.`}
          </li>
        ))}
      </ul>
      <TextLines lines={also} />
    </>
  );
}
