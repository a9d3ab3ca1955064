import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { addressParts, permanentAddressHelp, permanentAddressRequired } from '../contract/basic-info.ts';
import { Section } from './StepPage.tsx';
import { oddPinCode } from './warnings.ts';

const labels = {
  StreetNo: msg`Street No`,
  Address1: msg`Address 1`,
  Address2: msg`Address 2`,
  City: msg`City`,
  State: msg`State`,
  Country: msg`Country`,
  PinCode: msg`Pin Code`,
};

/** The PIN code comes before the city and state that it gives. */
const onPage = ['StreetNo', 'Address1', 'Address2', 'PinCode', 'City', 'State', 'Country'] as const;

/**
 * Offers the city and state of the PIN code and the list of states; never overwrites an entered value (B29). The table is
 * fetched once a PIN code is typed: the form's first view has no room for it.
 */
export function usePlaces(prefix: 'current' | 'permanent' | 'guardian') {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const [places, setPlaces] = useState<typeof import('../contract/pin-code.ts')>();
  const pin = String(values[`${prefix}PinCode`] ?? '');
  const isTyped = pin !== '';
  useEffect(() => {
    if (isTyped) import('../contract/pin-code.ts').then(setPlaces, () => undefined);
  }, [isTyped]);
  const place = places?.placeOfPin(pin);
  const found = { City: place?.city, State: place?.state };
  const missing = (['City', 'State'] as const).filter((part) => found[part] && !values[`${prefix}${part}`]);
  const names = missing.map((part) => found[part]).join(', ');
  const take = () => {
    for (const part of missing) change(`${prefix}${part}`, found[part]);
  };
  return { offers: missing.length > 0 ? [{ label: t`Use ${names}`, take }] : [], states: places?.indianStates };
}

/** The seven parts of an address; with `isMirror` it shows the present address as it is typed, read-only. */
export function AddressFields({ prefix, isMirror }: { prefix: 'current' | 'permanent'; isMirror?: boolean }) {
  const { t } = useLingui();
  const { values } = useApiForm();
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
  const { offers, states } = usePlaces(prefix);
  const isWide = (part: string) => part === 'Address1' || part === 'Address2';
  return onPage.map((part) => (
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
          ? oddPinCode(values[`${prefix}Country`], t`Indian PIN codes have 6 digits. Check this one.`)
          : undefined
      }
      offers={part === 'PinCode' && !isMirror ? offers : undefined}
      suggestions={part === 'State' && !isMirror ? states : undefined}
      mirrors={isMirror ? `current${part}` : undefined}
      required
    />
  ));
}

/** Ticked, it shows the present address, read-only; unticking clears it, which can be undone (A17). */
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
    if (present.Address1 === '') return;
    toast({
      kind: 'warning',
      title: t`Permanent address cleared`,
      actions: [
        {
          label: t`Undo`,
          act: () => put(present),
        },
      ],
    });
  };
  const line = addressParts
    .map((part) => String(present[part] ?? '').trim())
    .filter(Boolean)
    .join(', ');
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
      {isSame && present.Address1 !== '' && <p>{line}</p>}
      <div hidden={isSame}>
        <AddressFields prefix="permanent" isMirror={isSame} />
      </div>
    </Section>
  );
}
