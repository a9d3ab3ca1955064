import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type Preview, usePreview } from '#kit/browser/data/preview.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { sectionStudentApi } from '../contract/section-student.ts';

export type MoveAnswer = OutputOf<typeof sectionStudentApi.move>;

/** A move that needs no question changes no grade and cancels no later move. */
export const useMove = () =>
  usePreview(
    sectionStudentApi.move,
    ({ changed, corrected, forgotten }) => changed.length + corrected.length + forgotten.length === 0,
  );

interface Props {
  move: Preview<typeof sectionStudentApi.move>;
  onMoved: (answer: MoveAnswer) => void;
}

/** Asks before a move that changes the grade or cancels a later one. */
export function ConfirmMove({ move, onMoved }: Props) {
  const { t } = useLingui();
  if (!move.shown) return null;
  const { answer, input } = move.shown;
  const { to, moved } = answer;
  const day = showDate(String(input.from));
  return (
    <PreviewDialog
      preview={move}
      title={to ? t`Move to ${to}` : t`Take out of the section`}
      details={<What answer={answer} />}
      confirm={to ? <Trans>Move</Trans> : <Trans>Take out</Trans>}
      onApplied={onMoved}
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
    </PreviewDialog>
  );
}

function What({ answer: { to, changed, corrected, forgotten } }: { answer: MoveAnswer }) {
  const { t } = useLingui();
  return (
    <ul className="plan">
      {changed.map((student) => (
        <li key={`changed ${student.name}`}>
          <strong>{student.name}</strong>:{' '}
          {t`enrolled in ${student.from} to the day before, and anew in ${to} from then on.`}
        </li>
      ))}
      {corrected.map((student) => (
        <li key={`corrected ${student.name}`}>
          <strong>{student.name}</strong>:{' '}
          {t`was to begin in ${student.from} on this very day. Nothing of that is kept.`}
        </li>
      ))}
      {forgotten.map((student) => (
        <li key={`forgotten ${student.name} ${student.from}`} className="seat-full">
          {student.to
            ? t`${student.name}: the move to ${student.to} from ${showDate(student.from)} on is forgotten.`
            : t`${student.name}: it is forgotten that no section is held from ${showDate(student.from)} on.`}
        </li>
      ))}
    </ul>
  );
}
