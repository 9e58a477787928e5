/**
 * The most common passwords of at least 6 characters, as lists of leaked passwords agree on them, and some that are likely
 * here.
 */
const COMMON = new Set(
  `000000 00000000 0987654321 101010 102030 110110 111111 11111111 1111111111 112233 11223344 121212 123123 123123123
  123321 1234567 12345678 123456789 1234567890 123456789a 12345678910 1234qwer 123456 123456a 123654 123abc 123qwe
  123qweasd 131313 147258 147258369 159357 159753 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 222222 333333 555555 654321 666666
  696969 777777 7777777 87654321 888888 88888888 987654321 999999 aa123456 aaaaaa abc123 abcd1234 abcdef admin1 admin123
  administrator amazing andrew angel1 asdasd asdfgh asdfghjkl ashley azerty babygirl baseball basketball batman blessed
  blessing bubbles butterfly changeme charlie chocolate christ christian computer cookie daniel default donald dragon
  faithful family flower football forever freedom friends gfhjkm godisgood godislove grace1 hannah hallelujah hello1
  hello123 hunter ihateyou iloveyou iloveyou1 ilovejesus ilovegod jennifer jessica jesus1 jesus123 jesus777 jesuschrist
  jesusislord jordan joshua killer liverpool lovely loveme matthew michael michelle minecraft monkey mustang mypassword
  naruto nicole ninja1 passw0rd password password! password1 password12 password123 pokemon prayer prayers princess qazwsx
  qwe123 qweasd qweasdzxc qwer1234 qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwertyuiop robert samsung secret shadow
  soccer spiderman starwars summer sunshine superman test123 test1234 thomas tigger trustno1 welcome welcome1 whatever
  william yankees zaq12wsx zxcvbn zxcvbnm`.split(/\s+/),
)

/** Whether attackers would try a password among the first. */
export function isCommonPassword(password: string): boolean {
  return COMMON.has(password.toLowerCase())
}
