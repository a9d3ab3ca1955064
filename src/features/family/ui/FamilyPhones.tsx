import { Trans } from '@lingui/react/macro';
import { type FormEvent, useEffect, useState } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { get } from '#kit/browser/data/get.ts';
import { translate } from '#kit/browser/text.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { behindLink, byNumberAnswer, familyApi, ofGuardian } from '../contract/family.ts';
import { Block } from './Block.tsx';
import { FamilyInstall } from './FamilyInstall.tsx';
import styles from './FamilyPhones.module.css';
import './more-texts.ts';

/** On a proven phone: its home screen, the phones, and who else sees the children. */
export const Phones = () => (
  <>
    <FamilyInstall />
    <Readers />
    <OwnPhones />
  </>
);

/** The other adults who see each child, by relation. */
function Readers() {
  const [readers, setReaders] = useState<OutputOf<typeof familyApi.readers>>();
  const { attempt, problem } = useAttempt();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => {
    void attempt(async () => setReaders(await get(familyApi.readers, {})));
  }, []);
  if (!readers) return problem;
  if (readers.length === 0) return null;
  return (
    <Block title={<Trans>Others who see this page</Trans>}>
      <ul>
        {readers.map(({ id, child, relation, reach, getsMessages }) => (
          <li key={id}>
            <b>{child}</b> · {relation} ·{' '}
            {reach === 'All' ? <Trans>everything</Trans> : <Trans>school matters, no fees and no bus</Trans>}
            {getsMessages && (
              <>
                {' '}
                · <Trans>messages</Trans>
              </>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** The guardian ends the proof of this phone, or of those that were lost. */
function OwnPhones() {
  const signOut = useAction(familyApi.signOut);
  const [isDone, setDone] = useState(false);
  const end = async (others: boolean) => {
    if (!(await signOut.run({ others }))) return;
    if (others) setDone(true);
    else window.location.reload();
  };
  return (
    <Block title={<Trans>My phones</Trans>}>
      <p>
        <Trans>This phone is proven: it opens this page without a link, and asks for leave.</Trans>
      </p>
      <div className={styles.acts}>
        <button type="button" aria-disabled={signOut.isBusy} onClick={() => void end(false)}>
          <Trans>Sign out on this phone</Trans>
        </button>
        <button type="button" aria-disabled={signOut.isBusy} onClick={() => void end(true)}>
          <Trans>Sign out on my other phones</Trans>
        </button>
      </div>
      <p role="status">{isDone && <Trans>Your other phones are signed out.</Trans>}</p>
      {signOut.problem}
    </Block>
  );
}

type Guardians = OutputOf<typeof familyApi.phone>;

/** Whose page is opened, on a phone that several guardians have proven. */
export function Choose() {
  const { schoolName } = configuration();
  const [guardians, setGuardians] = useState<Guardians>();
  const { attempt, problem } = useAttempt();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => {
    void attempt(async () => setGuardians(await get(familyApi.phone, {})));
  }, []);
  if (!guardians) return problem;
  if (guardians.length === 0)
    return (
      <>
        <p>
          <Trans>Open the latest message of {schoolName}.</Trans>
        </p>
        <ByNumber />
      </>
    );
  return (
    <nav className={styles.acts}>
      <p>
        <Trans>Whose page do you want to open?</Trans>
      </p>
      {guardians.map(({ id, name }) => (
        <a key={id} href={`?${behindLink.link}=${ofGuardian(id)}`}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** A guardian without a link that works enters the own number, to which a new one is sent. */
export function ByNumber() {
  const [isAnswered, setAnswered] = useState(false);
  const [mobile, setMobile] = useState('');
  const byNumber = useAction(familyApi.byNumber);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (await byNumber.run({ mobile })) setAnswered(true);
  };
  return (
    <form className={styles.acts} onSubmit={(event) => void send(event)}>
      <label>
        <Trans>Your mobile number</Trans>
        <input
          type="tel"
          autoComplete="tel-national"
          value={mobile}
          onChange={({ currentTarget }) => setMobile(currentTarget.value)}
        />
      </label>
      <button type="submit" aria-disabled={byNumber.isBusy}>
        <Trans>Send me my link</Trans>
      </button>
      <p role="status">{isAnswered && translate(byNumberAnswer)}</p>
      {byNumber.problem}
    </form>
  );
}
