/** Letters of other scripts that look like a Latin capital, in the same order. */
const LOOK_ALIKES = 'АВСЕНІЈКМОРЅТХУΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ₮ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓞꓟꓠꓡꓢꓣꓥꓦꓧꓨꓪꓫꓬꓮꓰꓲꓳꓴ';
const LATIN = 'ABCEHIJKMOPSTXYABEZHIKMNOPTYXCTBPDTGKJCZFFMNLSRVVHGWXYAEIOU';

/**
 * Reduces a symbol or a name to how it reads at a glance. Characters that `quotable` escaped are read as what they are.
 */
export const glanced = (text: string): string =>
  text
    .replace(/\\u\{([0-9a-f]{1,5})\}/giu, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]/gu, (character) => {
      const at = LOOK_ALIKES.indexOf(character);
      return at < 0 ? '' : LATIN.charAt(at);
    });
