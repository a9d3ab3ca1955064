import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showDay } from '#kit/contract/format.ts';
import { feedApi } from '../contract/feed.ts';
import styles from './FamilyOwn.module.css';

type State = OutputOf<typeof feedApi.read>;

/** The days of the children in the calendar of the guardian's phone, by an address that is shown once. */
export function FamilyFeed() {
  const language = useLanguage();
  const [state, setState] = useState<State>();
  const [address, setAddress] = useState('');
  const { attempt, problem } = useAttempt();
  const make = useAction(feedApi.make);
  const end = useAction(feedApi.end);
  const read = () => attempt(async () => setState(await get(feedApi.read, {})));
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => {
    void read();
  }, []);
  const turnOn = async () => {
    const made = await make.run({});
    if (!made) return;
    setAddress(made.address);
    await read();
  };
  const turnOff = async () => {
    if (!(await end.run({}))) return;
    setAddress('');
    await read();
  };
  if (!state) return problem;
  const { since, signs } = state;
  const day = since && showDay(since, language);
  return (
    <section>
      <h3>
        <Trans>School days in my calendar</Trans>
      </h3>
      <p>
        <Trans>
          The calendar of your phone can show days without school, last days of fees, your meetings and when homework is
          due. It names no child and no amount.
        </Trans>
      </p>
      <p>
        {signs.map(({ id, sign, child }, place) => (
          <span key={id}>
            {place > 0 && ' · '}
            <b>{sign}</b>: {child}
          </span>
        ))}
      </p>
      {address && <Address address={address} />}
      {day && !address && (
        <p>
          <Trans>On since {day}. The address was shown once; a new one ends it.</Trans>
        </p>
      )}
      {problem}
      {make.problem}
      {end.problem}
      <Row gap="8 12" wrap className={styles.row}>
        <button type="button" aria-disabled={make.isBusy} onClick={() => void turnOn()}>
          {since ? <Trans>Make a new address</Trans> : <Trans>Make an address</Trans>}
        </button>
        {since && (
          <button type="button" aria-disabled={end.isBusy} onClick={() => void turnOff()}>
            <Trans>Turn it off</Trans>
          </button>
        )}
      </Row>
    </section>
  );
}

function Address({ address }: { address: string }) {
  const [isCopied, setCopied] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    field.current?.select();
    await navigator.clipboard?.writeText(address).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <>
      <label>
        <Trans>Address of your calendar</Trans>
        <input ref={field} readOnly value={address} onFocus={({ currentTarget }) => currentTarget.select()} />
      </label>
      <p role="status">
        {isCopied ? (
          <Trans>Copied.</Trans>
        ) : (
          <Trans>It is shown this once. Everyone with this address sees these days, so give it to nobody.</Trans>
        )}
      </p>
      <Row gap="8 12" align="center" wrap mb={12} className={styles.row}>
        <button type="button" onClick={() => void copy()}>
          <Trans>Copy</Trans>
        </button>
        <a href={address.replace(/^https?:/, 'webcal:')}>
          <Trans>Open it in my calendar</Trans>
        </a>
      </Row>
    </>
  );
}
