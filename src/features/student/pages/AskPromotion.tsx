import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AcademicYear } from '#features/calendar/contract/year.ts';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { translate } from '#kit/browser/text.ts';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { PromotionDecision, sectionStudentApi } from '../contract/section-student.ts';
import { TextLines } from './TextLines.tsx';

export interface Decided {
  id: number;
  name: string;
  section: string;
  /** '' to decide later. */
  decision: PromotionDecision | '';
}

interface Props {
  preview: Preview<typeof sectionStudentApi.promote>;
  next: AcademicYear;
  /** The last day of the current year. */
  lastDay: string;
  /** All undecided students, also those that are decided later. */
  decided: Decided[];
  onDone: () => void;
}

/** Asks before a promotion: every student by decision, the sections of the new year, and who has no seat there. */
export function AskPromotion({ preview, next, lastDay, decided, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  if (!preview.shown) return null;
  const { answer } = preview.shown;
  const { blocks, also, unplaced } = answer;
  const isBlocked = blocks.length > 0;
  return (
    <PreviewDialog
      preview={preview}
      title={t`Promote to ${next.name}`}
      confirm={<Trans>Promote</Trans>}
      details={
        isBlocked ? (
          <TextLines lines={blocks} />
        ) : (
          <>
            <Seats answer={answer} year={next.name} />
            <TextLines lines={also} />
            <EachStudent decided={decided} />
          </>
        )
      }
      onApplied={() => {
        const text = unplaced > 0 ? t`Students without a section in ${next.name}: ${unplaced}` : undefined;
        toast({ kind: unplaced > 0 ? 'warning' : 'success', title: t`Saved.`, text });
        onDone();
      }}
    >
      {isBlocked ? <Trans>Fix this first:</Trans> : <Counts decided={decided} lastDay={lastDay} />}
    </PreviewDialog>
  );
}

function Counts({ decided, lastDay }: Pick<Props, 'decided' | 'lastDay'>) {
  const day = showDate(lastDay);
  const countOf = (decision: PromotionDecision) => decided.filter((row) => row.decision === decision).length;
  const [promoted, detained, leaving] = [countOf('Promote'), countOf('Detain'), countOf('Leave')];
  return (
    <>
      {promoted > 0 && (
        <>
          <Plural value={promoted} one="# student will be promoted." other="# students will be promoted." />{' '}
        </>
      )}
      {detained > 0 && (
        <>
          <Plural value={detained} one="# student will be detained." other="# students will be detained." />{' '}
        </>
      )}
      {leaving > 0 && (
        <>
          <Plural
            value={leaving}
            one={`# student will leave the school after ${day}.`}
            other={`# students will leave the school after ${day}.`}
          />{' '}
        </>
      )}
      <Trans>You can undo the promotion while no student has changed since. Fee plans are set separately.</Trans>
    </>
  );
}

interface SeatsProps {
  answer: OutputOf<typeof sectionStudentApi.promote>;
  year: string;
}

/** The sections that students keep with their seats, and the students who stay without one. */
function Seats({ answer: { sections, unseated }, year }: SeatsProps) {
  const { t } = useLingui();
  if (sections.length === 0 && unseated.length === 0) return null;
  return (
    <ul className="plan">
      {sections.map(({ name, added, strength, capacity }) => (
        <li key={name}>
          <b>{name}</b> {t`${added} more, then ${strength} of ${capacity} seats`}
        </li>
      ))}
      {unseated.length > 0 && (
        <li className="seat-full">
          <b>{t`Without a section in ${year}: ${unseated.length}`}</b>
          {[...Map.groupBy(unseated, ({ why }) => translate(why))].map(([why, rows]) => (
            <div key={why}>
              {why}: {rows.map(({ name }) => name).join(', ')}
            </div>
          ))}
        </li>
      )}
    </ul>
  );
}

/** Every student by decision and section. */
function EachStudent({ decided }: Pick<Props, 'decided'>) {
  const { t } = useLingui();
  const words: Record<PromotionDecision | '', string> = {
    Detain: t`Detain`,
    Leave: t`Leave the school`,
    '': t`Decide later`,
    Promote: t`Promote`,
  };
  return (
    <ul className="plan everyone">
      {(Object.keys(words) as (keyof typeof words)[]).flatMap((decision) =>
        [
          ...Map.groupBy(
            decided.filter((row) => row.decision === decision),
            ({ section }) => section,
          ),
        ].map(([section, rows]) => (
          <li key={`${decision} ${section}`}>
            <b>{t`${words[decision]}, ${section || t`no section`}: ${rows.length}`}</b>
            <br />
            {rows.map(({ name }) => name).join(', ')}
          </li>
        )),
      )}
    </ul>
  );
}
