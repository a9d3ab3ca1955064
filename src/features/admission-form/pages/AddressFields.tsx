import { Trans, useLingui } from '@lingui/react/macro';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { addressParts, permanentAddressHelp, permanentAddressRequired } from '../contract/basic-info.ts';
import { placeOfPin } from '../contract/pin-code.ts';
import { Section } from './StepPage.tsx';
import { oddPinCode } from './warnings.ts';

/** The seven parts of an address; a mirror shows the present one as it is typed and cannot be changed. */
export function AddressFields({ prefix, isMirror }: { prefix: 'current' | 'permanent'; isMirror?: boolean }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const labels = {
    StreetNo: t`Street No`,
    Address1: t`Address 1`,
    Address2: t`Address 2`,
    City: t`City`,
    State: t`State`,
    Country: t`Country`,
    PinCode: t`Pin Code`,
  };
  const owner = prefix === 'permanent' ? t`Permanent` : undefined;
  const tokens = {
    StreetNo: 'off',
    Address1: 'address-line1',
    Address2: 'address-line2',
    City: 'address-level2',
    State: 'address-level1',
    Country: 'country-name',
    PinCode: 'postal-code',
  };
  /** City and state of the PIN code, for whoever wants them; a box with something in it is left alone (B29). */
  const offers = () => {
    const place = isMirror ? undefined : placeOfPin(String(values[`${prefix}PinCode`] ?? ''));
    const found = { City: place?.city, State: place?.state };
    const missing = (['City', 'State'] as const).filter((part) => found[part] && !values[`${prefix}${part}`]);
    if (missing.length === 0) return [];
    const names = missing.map((part) => found[part]).join(', ');
    const take = () => {
      for (const part of missing) change(`${prefix}${part}`, found[part]);
    };
    return [{ label: t`Use ${names}`, take }];
  };
  const isWide = (part: string) => part === 'Address1' || part === 'Address2';
  return addressParts.map((part) => (
    <TextField
      key={part}
      name={`${prefix}${part}`}
      label={labels[part]}
      owner={owner}
      width={isWide(part) ? undefined : part === 'PinCode' || part === 'StreetNo' ? 'short' : 'medium'}
      autoComplete={prefix === 'current' ? tokens[part] : 'off'}
      inputMode={part === 'PinCode' ? 'numeric' : undefined}
      hint={part === 'Address2' ? <Trans>Area or landmark</Trans> : undefined}
      warn={
        part === 'PinCode' && !isMirror
          ? oddPinCode(values[`${prefix}Country`], t`A PIN code in India has 6 digits. Please check it.`)
          : undefined
      }
      offers={part === 'PinCode' ? offers() : undefined}
      mirrors={isMirror ? `current${part}` : undefined}
      required
    />
  ));
}

/** Ticked, it shows the present address as it is typed and can be read but not changed; unticked, it can be had back (A17). */
export function PermanentAddress() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const toast = useToast();
  const isSame = values.sameAsPresentAddress === true;
  const put = (address: Record<string, unknown>) => {
    for (const part of addressParts) change(`permanent${part}`, address[part] ?? '');
  };
  const present = Object.fromEntries(addressParts.map((part) => [part, values[`current${part}`]]));

  const toggle = (ticked: boolean) => {
    if (ticked) return put(present);
    put({});
    toast({
      kind: 'warning',
      title: t`Permanent address cleared`,
      action: {
        label: t`Undo`,
        act: () => put(present),
      },
    });
  };
  const isIncomplete = addressParts.some((part) => errors[`permanent${part}`]);
  return (
    <Section
      title={<Trans>Permanent address</Trans>}
      message={
        isIncomplete && (
          <p className="error">
            {translate(permanentAddressRequired)} {translate(permanentAddressHelp)}
          </p>
        )
      }
    >
      <TickField name="sameAsPresentAddress" required onChange={toggle} />
      <AddressFields prefix="permanent" isMirror={isSame} />
    </Section>
  );
}
