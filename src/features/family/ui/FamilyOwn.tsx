import { Trans, useLingui } from '@lingui/react/macro';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { shrink } from '#kit/browser/form/shrink.ts';
import { translate } from '#kit/browser/text.ts';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { contactPaper, ownApi, type WishedChannel } from '../contract/own.ts';
import { familyPath } from '../contract/pages.ts';
import { FamilyFeed } from './FamilyFeed.tsx';
import styles from './FamilyOwn.module.css';
import './more-texts.ts';
import type { MoreProps } from './part.ts';

type Own = OutputOf<typeof ownApi.read>;

/** The number and the address of the guardian, and how messages come: all on a proven phone. */
export function More({ isProven }: MoreProps) {
  const [own, setOwn] = useState<Own>();
  const confirmed = useConfirmed();
  const { attempt, problem, isBusy } = useAttempt();
  const read = () => attempt(async () => setOwn(await confirmed(() => get(ownApi.read, {}))));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a phone that is not proven is asked for a code by a press only.
  useEffect(() => {
    if (isProven && !own) void read();
  }, [isProven]);
  if (own)
    return (
      <div className={styles.own}>
        <Contact own={own} onAsked={read} />
        <Wishes wishes={own.wishes} />
        <FamilyFeed />
      </div>
    );
  return (
    <div className={styles.own}>
      {problem}
      <button type="button" aria-disabled={isBusy} onClick={() => void read()}>
        <Trans>Confirm with a code that it is you</Trans>
      </button>
    </div>
  );
}

const empty = { mobile: '', email: '' };

function Contact({ own, onAsked }: { own: Own; onAsked: () => unknown }) {
  const [to, setTo] = useState(empty);
  const [step, setStep] = useState<'enter' | 'code' | 'paper'>('enter');
  const [typed, setTyped] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const onRefused = ({ fields }: { fields: FieldErrors }) => setErrors(fields);
  const code = useAction(ownApi.code, { onRefused });
  const change = useAction(ownApi.change, { onRefused });
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    // The link of the earlier number has ended: this phone opens the page without one.
    if (await change.run({ code: typed })) window.location.assign(familyPath);
  };
  const enter = (given: Partial<typeof empty>) => {
    setStep('enter');
    setErrors({});
    setTo((before) => ({ ...before, ...given }));
  };
  const send = async () => {
    setErrors({});
    if (await code.run(to)) setStep('code');
  };
  const { mobile, email, asked } = own;
  return (
    <form onSubmit={(event) => void confirm(event)}>
      <h3>
        <Trans>My number and address</Trans>
      </h3>
      <p>
        {mobile && <Trans>The school has a mobile number that ends with {mobile}.</Trans>}{' '}
        {email && <Trans>The school has the email address {email}.</Trans>}
      </p>
      {asked && (
        <p>
          <Trans>The school has not decided about the new one yet: {asked}.</Trans>
        </p>
      )}
      <label>
        <Trans>New mobile number</Trans>
        <input
          type="tel"
          autoComplete="tel-national"
          value={to.mobile}
          onChange={({ currentTarget }) => enter({ mobile: currentTarget.value })}
        />
        <Problem of={errors.mobile} />
      </label>
      <label>
        <Trans>Or a new email address</Trans>
        <input
          type="email"
          autoComplete="email"
          value={to.email}
          onChange={({ currentTarget }) => enter({ email: currentTarget.value })}
        />
        <Problem of={errors.email} />
      </label>
      <Row gap="8 12" wrap mb={12} className={styles.row}>
        <button type="button" aria-disabled={code.isBusy} onClick={() => void send()}>
          {step === 'code' ? <Trans>Send another code</Trans> : <Trans>Send a code to the new one</Trans>}
        </button>
        {!asked && (
          <button type="button" onClick={() => setStep('paper')}>
            <Trans>I no longer have the earlier one</Trans>
          </button>
        )}
      </Row>
      {code.problem}
      {step === 'code' && (
        <>
          <p role="status">
            <Trans>The code was sent. It works for 10 minutes.</Trans>
          </p>
          <label>
            <Trans>Code</Trans>
            <input
              required
              maxLength={20}
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            <Problem of={errors.code} />
          </label>
          {change.problem}
          <button type="submit" aria-disabled={change.isBusy}>
            <Trans>Change it</Trans>
          </button>
        </>
      )}
      {step === 'paper' && !asked && (
        <Ask to={to} onRefused={onRefused} onAsked={onAsked} paperProblem={errors.paper} />
      )}
    </form>
  );
}

const Problem = ({ of: words }: { of: FieldErrors[string] | undefined }) =>
  words ? <em>{translate(words)}</em> : null;

interface AskProps {
  to: typeof empty;
  onRefused: (refused: { fields: FieldErrors }) => void;
  onAsked: () => unknown;
  paperProblem: FieldErrors[string] | undefined;
}

/** The office compares the paper with what it knows, where no code reaches the earlier number. */
function Ask({ to, onRefused, onAsked, paperProblem }: AskProps) {
  const [file, setFile] = useState<File>();
  const [isShrinking, setShrinking] = useState(false);
  const ask = useAction(ownApi.ask, { onRefused });
  const take = async (chosen: File | undefined) => {
    setFile(chosen);
    if (!chosen?.type.startsWith('image/')) return;
    setShrinking(true);
    const made = await shrink(chosen, contactPaper).catch(() => undefined);
    if (made && made.size < chosen.size) setFile(made);
    setShrinking(false);
  };
  const send = async () => {
    if (isShrinking) return;
    if (await ask.run(to, undefined, file ? { paper: file } : {})) await onAsked();
  };
  return (
    <>
      <label>
        <Trans>Photo of a paper with your name and the new number or address</Trans>
        <input
          type="file"
          accept="image/*,application/pdf"
          onChange={({ currentTarget }) => void take(currentTarget.files?.[0])}
        />
        <Problem of={paperProblem} />
      </label>
      {ask.problem}
      <button type="button" aria-disabled={ask.isBusy || isShrinking} onClick={() => void send()}>
        <Trans>Ask the school to change it</Trans>
      </button>
    </>
  );
}

const evenings = [18, 19, 20, 21, 22, 23];
const mornings = [4, 5, 6, 7, 8, 9, 10];

function Wishes({ wishes: before }: { wishes: Own['wishes'] }) {
  const { t } = useLingui();
  const [wishes, setWishes] = useState(before);
  const [isKept, setKept] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const wish = useAction(ownApi.wish, { onRefused: ({ fields }) => setErrors(fields) });
  const choose = (given: Partial<Own['wishes']>) => {
    setKept(false);
    setErrors({});
    setWishes((earlier) => ({ ...earlier, ...given }));
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const done = await wish.run(wishes);
    if (!done) return;
    setWishes({ ...wishes, ...done });
    setKept(true);
  };
  const ways: Readonly<Record<WishedChannel, string>> = {
    Usual: t`As the school sends them`,
    SMS: t`Text messages first`,
    Email: t`Emails first`,
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <h3>
        <Trans>Messages to me</Trans>
      </h3>
      <label>
        <Trans>How they come</Trans>
        <select
          value={wishes.channel}
          onChange={({ currentTarget }) => choose({ channel: currentTarget.value as WishedChannel })}
        >
          {Object.entries(ways).map(([way, words]) => (
            <option key={way} value={way}>
              {words}
            </option>
          ))}
        </select>
        <Problem of={errors.channel} />
      </label>
      <Row gap="8 12" align="end" wrap mb={12} className={styles.row}>
        <Hour
          words={<Trans>Quiet from</Trans>}
          hours={evenings}
          value={wishes.quietFrom}
          onChosen={(quietFrom) => choose({ quietFrom })}
          problem={errors.quietFrom}
        />
        <Hour
          words={<Trans>Quiet until</Trans>}
          hours={mornings}
          value={wishes.quietUntil}
          onChosen={(quietUntil) => choose({ quietUntil })}
          problem={errors.quietUntil}
        />
      </Row>
      <Row as="label" gap={10} align="center" className={styles.tick}>
        <input
          type="checkbox"
          checked={wishes.getsHomework}
          onChange={({ currentTarget }) => choose({ getsHomework: currentTarget.checked })}
        />
        <Trans>Messages about homework</Trans>
      </Row>
      <p>
        <small>
          <Trans>Absence, emergencies, fees and codes always come, by a number or an address that works.</Trans>
        </small>
      </p>
      <p role="status">{isKept && <Trans>Saved.</Trans>}</p>
      {wish.problem}
      <button type="submit" aria-disabled={wish.isBusy}>
        <Trans>Save</Trans>
      </button>
    </form>
  );
}

interface HourProps {
  words: ReactNode;
  hours: readonly number[];
  value: number | null;
  onChosen: (hour: number | null) => void;
  problem: FieldErrors[string] | undefined;
}

const Hour = ({ words, hours, value, onChosen, problem }: HourProps) => (
  <label>
    {words}
    <select
      value={value ?? ''}
      onChange={({ currentTarget }) => onChosen(currentTarget.value === '' ? null : Number(currentTarget.value))}
    >
      <option value="">–</option>
      {hours.map((hour) => (
        <option key={hour} value={hour}>
          {hour}:00
        </option>
      ))}
    </select>
    <Problem of={problem} />
  </label>
);
