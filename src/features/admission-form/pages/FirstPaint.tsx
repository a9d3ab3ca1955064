import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { Instructions } from './Instructions.tsx';
import { StepPage } from './StepPage.tsx';

/** The first page as far as it is known before the family is: what the server puts into the HTML. */
export function FirstPaint() {
  return (
    <StepPage step={1} academicYear="" saved={[]} lead={<Instructions />}>
      <VisuallyHidden as="p" role="status">
        <Trans>Loading</Trans>
      </VisuallyHidden>
      <div className="skeleton" aria-hidden>
        <i className="skeleton-section" />
        <i className="skeleton-section" />
      </div>
    </StepPage>
  );
}
