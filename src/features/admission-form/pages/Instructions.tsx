import { Trans } from '@lingui/react/macro';

/** What a parent should have at hand, on the first page. It needs nothing of the family, so that it can be shown at once. */
export function Instructions() {
  return (
    <>
      <p>
        <Trans>About 30 minutes in all. You can stop after any step and go on later with the same link.</Trans>
      </p>
      <details className="instructions" open>
        <summary>
          <Trans>Keep these at hand</Trans>
        </summary>
        <ul>
          <li>
            <Trans>a photo of the child and a family photo</Trans>
          </li>
          <li>
            <Trans>the birth certificate, and the Aadhaar card or passport</Trans>
          </li>
          <li>
            <Trans>the vaccination card and the last report card</Trans>
          </li>
        </ul>
        <p>
          <Trans>Every question needs an answer unless it says (optional).</Trans>
        </p>
      </details>
    </>
  );
}
