import { Trans } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { Block } from './Block.tsx';
import styles from './FamilyPhones.module.css';
import { installOffer } from './install.ts';
import './more-texts.ts';

/** A browser of an iPhone never offers; it says whether the page was opened from the home screen. */
const isIphone = () => 'standalone' in navigator && !navigator.standalone;

/** Puts the page on the home screen of a proven phone, where the browser can; opened from there, nothing. */
export function FamilyInstall() {
  const offer = useSyncExternalStore(installOffer.subscribe, installOffer.read);
  if (!offer && !isIphone()) return null;
  return (
    <Block title={<Trans>This page on your home screen</Trans>}>
      <p>
        <Trans>It opens with one touch, without a link, for all your children.</Trans>
      </p>
      {offer ? (
        <div className={styles.acts}>
          <button type="button" onClick={() => void installOffer.take()}>
            <Trans>Put it on my home screen</Trans>
          </button>
        </div>
      ) : (
        <p>
          <Trans>Press Share in your browser, then choose “home screen”.</Trans>
        </p>
      )}
    </Block>
  );
}
