// .NET 8 or newer with the package BouncyCastle.Cryptography: dotnet run PRIVATE_KEY.pem
using System.Text;
using System.Text.Json;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Crypto.Signers;
using Org.BouncyCastle.OpenSsl;

string Part(byte[] data) => Convert.ToBase64String(data).TrimEnd('=').Replace('+', '-').Replace('/', '_');

var key = (Ed25519PrivateKeyParameters)new PemReader(File.OpenText(args[0])).ReadObject();
var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
var header = new { alg = "EdDSA", typ = "JWT", kid = "{KID}" };
var claims = new
{
    iss = "{TENANT}", aud = "{BASE_URL}", tenant = "{TENANT}", sub = "u-1", name = "Anna",
    contexts = new[] { new { ObjectType = "incident", ObjectId = "INC-1", Purpose = "*" } },
    perm = new[] { "Read", "Check", "Add", "Edit", "Delete" }, iat = now, exp = now + 600, jti = Guid.NewGuid(),
};
var signed = Part(JsonSerializer.SerializeToUtf8Bytes(header)) + "." + Part(JsonSerializer.SerializeToUtf8Bytes(claims));
var signer = new Ed25519Signer();
signer.Init(true, key);
var bytes = Encoding.ASCII.GetBytes(signed);
signer.BlockUpdate(bytes, 0, bytes.Length);
Console.WriteLine(signed + "." + Part(signer.GenerateSignature()));
