import type { Random } from '#kit/server/random.ts';

/** Parts of Surat with a road or a landmark each, and their PIN codes. */
const areas = [
  ['Adajan', 'Anand Mahal Road', '395009'],
  ['Pal', 'Gaurav Path', '395009'],
  ['Palanpur', 'Canal Road', '395009'],
  ['Rander', 'Gorat Road', '395005'],
  ['Jahangirpura', 'Dandi Road', '395005'],
  ['Vesu', 'VIP Road', '395007'],
  ['Piplod', 'Dumas Road', '395007'],
  ['City Light', 'City Light Road', '395007'],
  ['Ghod Dod Road', 'Ram Chowk', '395007'],
  ['Bhatar', 'Bhatar Road', '395017'],
  ['Althan', 'Bhimrad Road', '395017'],
  ['Athwa', 'Athwa Gate', '395001'],
  ['Nanpura', 'Timaliyawad', '395001'],
  ['Sagrampura', 'Ring Road', '395002'],
  ['Begampura', 'Tower Road', '395003'],
  ['Katargam', 'Gajera Circle', '395004'],
  ['Ved Road', 'Pandol', '395004'],
  ['Varachha', 'Mini Bazar', '395006'],
  ['Kapodra', 'Hirabaug', '395006'],
  ['Nana Varachha', 'Chikuwadi', '395006'],
  ['Punagam', 'Sitanagar', '395010'],
  ['Parvat Patiya', 'Model Town Road', '395010'],
  ['Udhna', 'Udhna Main Road', '394210'],
] as const;

const buildings = 'Ambika Arihant Ashirwad Avadh Gokul Green Krishna Laxmi Royal Sahaj Shanti Shivam Star Sumeru'.split(
  ' ',
);
const kinds = 'Apartment Avenue Heights Park Residency Row-House Society Villa'.split(' ');

export interface Address {
  house: string;
  street: string;
  area: string;
  pinCode: string;
}

/** A fictional address in Surat. */
export function drawAddress(random: Random): Address {
  const [area, street, pinCode] = random.oneOf(areas);
  return {
    house: `${'ABCDE'[random.upTo(5)]}-${100 * (1 + random.upTo(9)) + 1 + random.upTo(8)}`,
    street: `${random.oneOf(buildings)} ${random.oneOf(kinds)}, ${street}`,
    area,
    pinCode,
  };
}
