import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { type Visit, visitApi } from '../contract/visit.ts';
import { RatingRows } from './RatingGrid.tsx';

/** What the observer writes during the visit and after it: each rating and line of evidence is saved at once. */
export function Capture({ visit }: { visit: Visit }) {
  const { t } = useLingui();
  const { ratings, send, say, isWaiting, problem } = useRatings(visit);
  return (
    <>
      <RecordCard isWide title={<Trans>Evidence</Trans>} actions={<Timer visit={visit} />}>
        <EvidenceLine visit={visit} />
        <ul>
          {visit.evidence.toReversed().map(({ id, at, text }) => (
            <li key={id}>
              <time dateTime={at}>{showTime(at)}</time> {text}
            </li>
          ))}
        </ul>
      </RecordCard>
      <RecordCard
        isWide
        title={<Trans>Ratings</Trans>}
        actions={
          <FormOpener title={t`Write the report`} label={<Trans>Write the report</Trans>}>
            {(onClose) => <ReportForm visit={visit} onClose={onClose} />}
          </FormOpener>
        }
      >
        <p role="status" className="soft">
          {isWaiting ? (
            <Trans>Not saved yet. It will be sent again automatically.</Trans>
          ) : (
            <Trans>Ratings are saved.</Trans>
          )}
        </p>
        {problem}
        <RatingRows rubric={visit.rubric} ratings={ratings} onRate={send} onComment={say} />
      </RecordCard>
    </>
  );
}

const retryAfter = 3000;

interface Unsaved {
  levelId: number;
  comment?: string;
}

/** The saved ratings, and those that are sent again until the server has them. */
function useRatings(visit: Visit) {
  const { run, problem } = useAction(visitApi.rate);
  const [waiting, setWaiting] = useState<ReadonlyMap<number, Unsaved>>(new Map());
  const isSending = useRef(false);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try is another reason.
  useEffect(() => {
    const [next] = waiting;
    if (!next || isSending.current) return;
    const [indicatorId, unsaved] = next;
    isSending.current = true;
    void run({ id: visit.id, indicatorId, ...unsaved }).then((done) => {
      const goOn = () => {
        isSending.current = false;
        setTries((count) => count + 1);
      };
      if (!done) return setTimeout(goOn, retryAfter);
      setWaiting((before) => {
        const after = new Map(before);
        if (after.get(indicatorId) === unsaved) after.delete(indicatorId);
        return after;
      });
      goOn();
    });
  }, [waiting, tries, run, visit.id]);
  const own = new Map(visit.ratings.map((rating) => [rating.indicatorId, rating]));
  for (const [indicatorId, unsaved] of waiting)
    own.set(indicatorId, { comment: own.get(indicatorId)?.comment ?? '', ...unsaved, indicatorId });
  const add = (indicatorId: number, unsaved: Unsaved) =>
    setWaiting((before) => new Map(before).set(indicatorId, { ...before.get(indicatorId), ...unsaved }));
  return {
    ratings: [...own.values()],
    send: (indicatorId: number, levelId: number) => add(indicatorId, { levelId }),
    say: (indicatorId: number, comment: string) => {
      const levelId = own.get(indicatorId)?.levelId;
      if (levelId !== undefined) add(indicatorId, { levelId, comment });
    },
    isWaiting: waiting.size > 0,
    problem,
  };
}

/** Enter stamps the line with the time. */
function EvidenceLine({ visit }: { visit: Visit }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const note = useAction(visitApi.note);
  const add = async () => {
    if (text.trim() === '' || note.isBusy) return;
    if (await note.run({ id: visit.id, text })) setText('');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <input
        className="box"
        aria-label={t`Evidence`}
        placeholder={t`Note what people say and do. Enter saves it with the time.`}
        maxLength={1000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" kind="quiet" isBusy={note.isBusy}>
        <Trans>Add</Trans>
      </Button>
      {note.problem}
    </form>
  );
}

const minute = 60_000;

/** The minutes since the visit began. */
function Timer({ visit: { startedAt, endedAt } }: { visit: Visit }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const until = endedAt ? Date.parse(endedAt) : now;
  const minutes = Math.max(0, Math.floor((until - Date.parse(startedAt)) / minute));
  return (
    <span className="soft">
      <Trans>{minutes} min</Trans>
    </span>
  );
}

function ReportForm({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, topic, strengths, improvements, plan, nextReviewOn } = visit;
  return (
    <RecordForm
      title={t`Write the report`}
      endpoint={visitApi.update}
      initial={{ topic, strengths, improvements, plan, nextReviewOn }}
      hiddenValues={{ id, version }}
      onClose={onClose}
    >
      <TextField name="topic" />
      <TextField name="strengths" long />
      <TextField name="improvements" long />
      <TextField name="plan" long />
      <DateField name="nextReviewOn" toward="future" />
    </RecordForm>
  );
}
