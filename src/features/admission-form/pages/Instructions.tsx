import { Trans } from '@lingui/react/macro';

/** The same for every family, so that the server can render it into the HTML. */
export function Instructions() {
  return (
    <>
      <p>
        <Trans>
          The form takes about 30 minutes. You can stop after any step and continue later with the same link.
        </Trans>
      </p>
      <div className="instructions">
        <b>
          <Trans>Keep these ready</Trans>
        </b>
        <ul>
          <li>
            <Trans>a photo of the child and a family photo</Trans>
          </li>
          <li>
            <Trans>the birth certificate, and the Aadhaar card, its enrolment slip or a passport</Trans>
          </li>
          <li>
            <Trans>the vaccination card and the last report card</Trans>
          </li>
        </ul>
        <p>
          <Trans>Answer every question that is not marked (optional).</Trans>
        </p>
      </div>
    </>
  );
}
