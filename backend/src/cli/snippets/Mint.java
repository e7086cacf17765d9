// Java 17 or newer, nothing to install: java Mint.java PRIVATE_KEY.pem
import java.nio.file.*;
import java.security.*;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.*;

public class Mint {
    static String part(byte[] data) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(data);
    }

    public static void main(String[] arguments) throws Exception {
        String pem = Files.readString(Path.of(arguments[0])).replaceAll("-----[A-Z ]+-----|\\s", "");
        PrivateKey key = KeyFactory.getInstance("Ed25519")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
        long now = System.currentTimeMillis() / 1000;
        String header = "{\"alg\":\"EdDSA\",\"typ\":\"JWT\",\"kid\":\"{KID}\"}";
        String claims = """
            {"iss":"{TENANT}","aud":"{BASE_URL}","tenant":"{TENANT}","sub":"u-1","name":"Anna",
             "contexts":[{"ObjectType":"incident","ObjectId":"INC-1","Purpose":"*"}],"perm":["Read","Check","Add","Edit","Delete"],
             "iat":%d,"exp":%d,"jti":"%s"}""".formatted(now, now + 600, UUID.randomUUID());
        String signed = part(header.getBytes("UTF-8")) + "." + part(claims.getBytes("UTF-8"));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(signed.getBytes("UTF-8"));
        System.out.println(signed + "." + part(signature.sign()));
    }
}
